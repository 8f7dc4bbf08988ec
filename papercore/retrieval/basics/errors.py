"""The errors of an index."""

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
