"""Find text by words and by meaning: an index of documents in a folder or on a cluster, with no framework around it."""

from papercore.retrieval.basics.errors import DocumentNotFound, EngineFailed, IndexBusy
from papercore.retrieval.basics.query import query_words
from papercore.retrieval.basics.request import (
    CONFIDENCE,
    INDEX_HITS,
    INDEX_OFFSET,
    INDEX_QUERY_CHARS,
    NO_FILTERS,
    Completion,
    Confidence,
    Count,
    Document,
    Filters,
    Hit,
    Mode,
    PassageCandidate,
    PassageEntry,
    PassageRequest,
    Request,
    Results,
    Sort,
    Understood,
    Verdict,
)
from papercore.retrieval.cluster import build_index_on_cluster, open_cluster
from papercore.retrieval.engines.embedded.build import build_index
from papercore.retrieval.engines.embedded.filling import fill_sentence_vectors, missing_sentence_vectors
from papercore.retrieval.engines.embedded.update import update_index
from papercore.retrieval.engines.generation import BuildReport, Manifest
from papercore.retrieval.engines.opensearch import ClusterAddress
from papercore.retrieval.index import Index, SearchIndexes
from papercore.retrieval.index_folder import IndexFolder
from papercore.retrieval.ranking.evidence import ENOUGH, Evidence, enough_weight, verdict_at
from papercore.retrieval.ranking.sentence_scores import PassageReader
from papercore.retrieval.ranking.snippets import QueryTerms, best_snippet, with_marks
from papercore.retrieval.vectors.arrays import Matrix, Vector, read_array
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.retrieval.vectors.word_vectors import WordVectors

__all__ = [
    "CONFIDENCE",
    "ENOUGH",
    "INDEX_HITS",
    "INDEX_OFFSET",
    "INDEX_QUERY_CHARS",
    "NO_FILTERS",
    "BuildReport",
    "ClusterAddress",
    "Completion",
    "Confidence",
    "Count",
    "Document",
    "DocumentNotFound",
    "EngineFailed",
    "Evidence",
    "Filters",
    "Hit",
    "Index",
    "IndexBusy",
    "IndexFolder",
    "Manifest",
    "Matrix",
    "Mode",
    "PassageCandidate",
    "PassageEntry",
    "PassageReader",
    "PassageRequest",
    "QueryTerms",
    "Request",
    "Results",
    "SearchIndexes",
    "SentenceModel",
    "Sort",
    "Understood",
    "Vector",
    "Verdict",
    "WordVectors",
    "best_snippet",
    "build_index",
    "build_index_on_cluster",
    "enough_weight",
    "fill_sentence_vectors",
    "missing_sentence_vectors",
    "open_cluster",
    "query_words",
    "read_array",
    "update_index",
    "verdict_at",
    "with_marks",
]
