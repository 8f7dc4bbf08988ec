"""The errors of an index."""

from collections.abc import Iterator
from contextlib import contextmanager

from papercore.errors import Conflict, NotFound, Unavailable


class IndexBusy(Conflict):
    code = "index_busy"


class DocumentNotFound(NotFound):
    code = "document_not_found"


class EngineFailed(Unavailable):
    """The word engine gave up on a query."""

    code = "index_unavailable"


class ClusterFailed(EngineFailed):
    """The search cluster did not answer, or not completely: not the query's fault."""


class IndexDamaged(Unavailable):
    """A file is not as it was built; the message is its name."""

    code = "index_damaged"


@contextmanager
def engine_panics_translated() -> Iterator[None]:
    """Raise EngineFailed where the engine panics: its own exception is no Exception, and would end the thread."""
    try:
        yield
    except BaseException as error:
        # The class has no module that could be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise EngineFailed("The search engine could not answer this. Change the query, or try again later.") from error
