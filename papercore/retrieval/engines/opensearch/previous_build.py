"""What a new build takes over from the one before: documents that did not change, and the numbers of facet values."""

from collections.abc import Iterator, Sequence
from typing import Self

from msgspec import Struct

from papercore import limits
from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.facets import ValueNumbers
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import COUNT, DIGEST, KIND, NAME, NUMBER
from papercore.retrieval.engines.opensearch.passages import NUMBER as NUMBER_OF_PASSAGE
from papercore.retrieval.engines.opensearch.registry import Build
from papercore.retrieval.engines.opensearch.tables import Tables
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.retrieval.vectors.word_vectors import WordVectors


class KnownValue(Struct, frozen=True):
    """A facet's value as it is listed: its spelling, and the number of documents with it."""

    name: str
    count: int


class PreviousBuild(Struct, frozen=True):
    """The newest build, if documents of it can be taken over."""

    build: Build
    tables: Tables
    # By the digest of a document's id: its row, and the digest of the whole document.
    documents: dict[str, tuple[int, str]]
    # By facet and number.
    values: dict[tuple[str, int], KnownValue]

    @classmethod
    def read(
        cls, cluster: Cluster, build: Build | None, facets: Sequence[str], model: SentenceModel | None
    ) -> Self | None:
        """The build with what a new one is compared with; None if it was made otherwise than now."""
        if build is None or not build.manifest.documents or build.manifest.facets != tuple(facets):
            return None
        models = (WordVectors.load().model_id, model.model_id if model else "")
        if (build.manifest.word_model, build.manifest.sentence_model) != models:
            return None
        papers, values_index = build.indexes.papers, build.indexes.values
        settings = cluster.call(cluster.client.indices.get_settings, index=papers)[papers]["settings"]
        if int(settings["index"]["number_of_shards"]) != cluster.address.shards:
            return None
        documents = {}
        for hit in all_hits(cluster, papers, {"_source": False, "docvalue_fields": [DIGEST]}, schema.ROW):
            key, digest = hit["fields"][DIGEST][0].split(":")
            documents[key] = (int(hit["_id"]), digest)
        values = {
            (facet, int(hit["_source"][NUMBER])): KnownValue(str(hit["_source"][NAME]), int(hit["_source"][COUNT]))
            for facet in facets
            for hit in all_hits(cluster, values_index, {"query": {"term": {KIND: {"value": facet}}}}, NUMBER)
        }
        return cls(build, Tables.read(cluster, values_index), documents, values)

    def next_row(self) -> int:
        return 1 + max((row for row, _ in self.documents.values()), default=-1)

    def passages_of(self, cluster: Cluster, rows: Sequence[int]) -> Iterator[str]:
        """The ids of the passages that the documents with these rows have had."""
        for first in range(0, len(rows), limits.INDEX_HITS):
            documents = {"terms": {schema.PASSAGE_DOCUMENT: list(rows[first : first + limits.INDEX_HITS])}}
            body = {"query": {"bool": {"filter": [documents]}}, "_source": False}
            yield from (hit["_id"] for hit in all_hits(cluster, self.build.indexes.passages, body, NUMBER_OF_PASSAGE))

    def value_numbers(self, facet: str) -> ValueNumbers:
        """The numbers that a facet's values had, so that those in documents which stay remain right."""
        known = {number: value.name for (kind, number), value in self.values.items() if kind == facet}
        return ValueNumbers.restored(known)


def all_hits(cluster: Cluster, index: str, body: Json, order: str) -> Iterator[Json]:
    """All hits of a search, in pages; `order` is a field that has another value in each of them."""
    body = body | {"size": limits.INDEX_HITS, "sort": [{order: "asc"}], "track_total_hits": False}
    while True:
        hits = cluster.search(index, body)["hits"]["hits"]
        yield from hits
        if len(hits) < limits.INDEX_HITS:
            return
        body["search_after"] = hits[-1]["sort"]
