"""The passages of one build on the cluster: how they are indexed, and how they are found by words.

Only what ranks is indexed: no positions, and no text, which the library holds anyway.
"""

import base64
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.request import Document
from papercore.retrieval.engines.fields import AROUND_BOOST
from papercore.retrieval.engines.fields import PASSAGE_AROUND as AROUND
from papercore.retrieval.engines.fields import PASSAGE_DOCUMENT as DOCUMENT
from papercore.retrieval.engines.fields import PASSAGE_PAYLOAD as PAYLOAD
from papercore.retrieval.engines.fields import PASSAGE_WORDS as WORDS
from papercore.retrieval.engines.interface import PassageQuery, ScoredPassages
from papercore.retrieval.engines.opensearch import ClusterAddress
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import NAMES, index_body

# A passage's number: the row of its document, and its place among that document's passages.
NUMBER = "number"
PLACE_BITS = 24


def passages_index(address: ClusterAddress) -> Json:
    """Settings and fields of the index of passages."""
    properties: Json = {
        WORDS: NAMES | {"index_options": "freqs"},
        AROUND: NAMES,
        DOCUMENT: {"type": "integer"},
        NUMBER: {"type": "long", "index": False},
        PAYLOAD: {"type": "binary"},
    }
    return index_body(address, properties, kept=[PAYLOAD])


def fill_passages(document: Document) -> Iterator[Json]:
    """The passages of a document for the index, but for what tells which document they are of."""
    title = _terms(document.title)
    for passage in document.passages:
        yield {
            WORDS: _terms(passage.text),
            AROUND: f"{title} {_terms(passage.headings)}",
            PAYLOAD: base64.b64encode(passage.payload).decode(),
        }


def numbered(passages: Sequence[Json], row: int) -> list[Json]:
    """The passages of the document with this row."""
    return [passage | {DOCUMENT: row, NUMBER: row << PLACE_BITS | place} for place, passage in enumerate(passages)]


def _terms(text: str) -> str:
    return " ".join(analysis.text_terms(analysis.with_cjk_pairs(text)))


class ClusterPassages:
    """Answers as PassageEngine asks."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self._cluster = cluster
        self._index = index

    def ranked(self, queries: Sequence[PassageQuery]) -> list[ScoredPassages]:
        answers = self._cluster.search_all(self._index, [search_body(query) for query in queries])
        ranked = []
        for hits in (answer["hits"]["hits"] for answer in answers):
            numbers = np.array([int(hit["_id"]) for hit in hits], dtype=np.int64)
            scores = np.array([hit["_score"] for hit in hits], dtype=np.float32)
            ranked.append(ScoredPassages(numbers, numbers >> PLACE_BITS, scores))
        return ranked

    def payloads(self, numbers: Sequence[int]) -> list[bytes]:
        found = self._cluster.sources(self._index, [str(number) for number in numbers], [PAYLOAD])
        return [base64.b64decode(found[str(number)][PAYLOAD]) for number in numbers]


def search_body(query: PassageQuery) -> Json:
    """A search for the best passages. No text reaches a parser: terms are cut out before."""
    terms = Counter(analysis.text_terms(query.words))
    parts: Json = {}
    if terms:
        inside, around = _weighted(WORDS, terms), _weighted(AROUND, terms, AROUND_BOOST)
        # Of given documents also what stands below a title or a heading with the words.
        sought = inside if query.documents is None else [*inside, *around]
        parts["must"] = [{"bool": {"should": sought}}]
        parts["should"] = around if query.documents is None else []
    if query.documents is not None:
        parts["filter"] = [{"terms": {DOCUMENT: sorted(query.documents)}}]
    return {
        "query": {"bool": parts} if parts else {"match_all": {}},
        "sort": [{"_score": "desc"}, {NUMBER: "asc"}],
        "track_scores": True,
        "track_total_hits": False,
        "size": query.limit,
        "_source": False,
    }


def _weighted(field: str, terms: Counter[str], boost: float = 1.0) -> list[Json]:
    return [{"term": {field: {"value": term, "boost": boost * times}}} for term, times in terms.items()]
