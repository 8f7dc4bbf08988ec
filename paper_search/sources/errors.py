"""The one error of a source: short words that a person reads beside the source's name."""

from papercore.errors import Unavailable


class SourceError(Unavailable):
    """The source gave nothing usable; the message holds no address and no key."""

    code = "source_failed"
