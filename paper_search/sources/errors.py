"""The one error of a source; its message reads on after the source's name: `timed out`."""

from papercore.errors import Unavailable


class SourceError(Unavailable):
    """The source gave nothing usable. The message holds no address and no key."""

    code = "source_failed"


class UnknownToSource(SourceError):
    """It answered that it has nothing by this name."""
