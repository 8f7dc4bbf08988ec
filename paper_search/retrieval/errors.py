"""What can go wrong with an index."""

from paper_search.errors import Conflict, NotFound


class IndexBusy(Conflict):
    code = "index_busy"


class DocumentNotFound(NotFound):
    code = "document_not_found"
