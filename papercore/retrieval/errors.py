"""The errors of an index."""

from papercore.errors import Conflict, NotFound


class IndexBusy(Conflict):
    code = "index_busy"


class DocumentNotFound(NotFound):
    code = "document_not_found"
