"""Find text by words and by meaning: an index of documents in a folder, with no framework around it."""

from paper_search.retrieval.build import BuildReport, build_index
from paper_search.retrieval.document import Document
from paper_search.retrieval.errors import DocumentNotFound, IndexBusy
from paper_search.retrieval.folder import Manifest
from paper_search.retrieval.index import Index, IndexFolder
from paper_search.retrieval.results import Count, Filters, Hit, Mode, Request, Results, Sort
from paper_search.retrieval.sentence_model import SentenceModel
from paper_search.retrieval.suggestions import Suggestion

__all__ = [
    "BuildReport",
    "Count",
    "Document",
    "DocumentNotFound",
    "Filters",
    "Hit",
    "Index",
    "IndexBusy",
    "IndexFolder",
    "Manifest",
    "Mode",
    "Request",
    "Results",
    "SentenceModel",
    "Sort",
    "Suggestion",
    "build_index",
]
