"""Builds an index on the cluster: new indexes are filled aside, checked, and published together."""

import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from papercore.retrieval import analysis, folder, schema
from papercore.retrieval.build import SPOOL, BuildReport
from papercore.retrieval.document import Document
from papercore.retrieval.embedding import WordSpool, embedded, fit
from papercore.retrieval.errors import EngineFailed
from papercore.retrieval.facets import ValueNumbers
from papercore.retrieval.folder import Manifest
from papercore.retrieval.meaning import WeightedWordVectors
from papercore.retrieval.opensearch_engine.cluster import Cluster, Json
from papercore.retrieval.opensearch_engine.documents import (
    COUNT,
    GAP,
    KEY,
    KIND,
    NAME,
    NUMBER,
    SENTENCE_BYTES,
    WORDS,
    encoded,
    fill_document,
    papers_index,
    values_index,
    vector_fields,
)
from papercore.retrieval.opensearch_engine.facet_values import value_id, value_key
from papercore.retrieval.opensearch_engine.registry import Build, BuildLock, Registry
from papercore.retrieval.opensearch_engine.tables import TABLE_ID, Tables
from papercore.retrieval.sentence_model import SentenceModel, SentenceWriter, open_vectors
from papercore.retrieval.word_vectors import Matrix, WordVectors

LINES = "documents.jsonl"


def build_cluster_index(
    cluster: Cluster,
    documents: Iterable[Document],
    *,
    facets: Sequence[str],
    build_id: str,
    model: SentenceModel | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> BuildReport:
    """Build an index over the documents on the cluster and make it the one of this build id.

    Documents are first written to a temporary file, because their vectors depend on all of them. Readers keep the
    previous index until the new one is complete, and a build that fails changes nothing.
    """
    registry = Registry(cluster)
    with registry.building() as lock, tempfile.TemporaryDirectory(prefix="papersite-build-") as scratch:
        papers, values = registry.new_names(build_id)
        try:
            with WordSpool(Path(scratch) / SPOOL) as spool:
                build = _ClusterBuild(cluster, lock, Path(scratch), facets, model, spool)
                build.read(documents, progress)
                build.send(papers, values)
            build.complete(papers, values)
            registry.publish(Build(build.manifest(build_id), papers, values, time.time()))
        except BaseException:
            registry.discard(papers, values)
            raise
    return BuildReport(build.documents, build.documents)


class _ClusterBuild:
    """One run."""

    def __init__(
        self,
        cluster: Cluster,
        lock: BuildLock,
        scratch: Path,
        facets: Sequence[str],
        model: SentenceModel | None,
        spool: WordSpool,
    ) -> None:
        self.cluster = cluster
        self.lock = lock
        self.scratch = scratch
        self.model = model
        self.spool = spool
        self.documents = 0
        self.frequencies: Counter[str] = Counter()
        self.values = {name: ValueNumbers() for name in facets}

    def read(self, documents: Iterable[Document], progress: Callable[[int], None]) -> None:
        """Write the documents as they will be sent to a file, and note their words."""
        with ExitStack() as stack:
            lines = stack.enter_context((self.scratch / LINES).open("w", encoding="utf-8"))
            sentences = None
            if self.model:
                sentences = stack.enter_context(SentenceWriter(self.scratch, self.model, None))
            for row, document in enumerate(documents):
                numbers = {name: values.add(document.facets.get(name, ())) for name, values in self.values.items()}
                entry = fill_document(document, row, numbers)
                self.frequencies.update({term for text in entry[schema.ALL] for term in text.split()})
                lines.write(json.dumps(entry) + "\n")
                self.spool.add(document)
                if sentences:
                    sentences.add(document, None)
                self.documents = row + 1
                self.lock.renew()
                progress(self.documents)
            if sentences:
                sentences.finish()
        del self.frequencies[GAP]

    def send(self, papers: str, values: str) -> None:
        """Fill new indexes with the documents and their vectors, and with the values of facets."""

        def weighted(projection: Matrix) -> WeightedWordVectors:
            return WeightedWordVectors(WordVectors.load(), projection, self._frequency, self.documents)

        projection = fit(self.spool, self.documents, weighted)
        tables = Tables.of(projection, self.frequencies, self.documents)
        client, address = self.cluster.client, self.cluster.address
        bodies = {papers: papers_index(address, tuple(self.values), projection.shape[1]), values: values_index(address)}
        for name, body in bodies.items():
            self.cluster.call(client.indices.create, index=name, body=body)
        for _ in self.cluster.bulk(self._entries(papers, weighted(projection))):
            self.lock.renew()
        for _ in self.cluster.bulk(self._value_entries(values, tables)):
            self.lock.renew()

    def complete(self, papers: str, values: str) -> None:
        """Check that nothing is missing, then have the indexes copied to other nodes."""
        client, names = self.cluster.client, f"{papers},{values}"
        self.cluster.call(client.indices.refresh, index=names)
        expected = {papers: self.documents, values: 1 + sum(len(found.names) for found in self.values.values())}
        for name, count in expected.items():
            found = self.cluster.call(client.count, index=name)["count"]
            if found != count:
                raise EngineFailed(f"The search cluster has {found:,} of {count:,} documents.")
        copies = {"index": {"number_of_replicas": self.cluster.address.replicas}}
        self.cluster.call(client.indices.put_settings, index=names, body=copies)

    def manifest(self, build_id: str) -> Manifest:
        return Manifest(
            version=folder.VERSION,
            build_id=build_id,
            documents=self.documents,
            facets=tuple(self.values),
            word_model=WordVectors.load().model_id,
            sentence_model=self.model.model_id if self.model else "",
            fitted_on=self.documents,
        )

    def _frequency(self, term: str) -> int:
        return self.frequencies.get(term, 0)

    def _entries(self, index: str, word_vectors: WeightedWordVectors) -> Iterator[Json]:
        sentences = open_vectors(self.scratch, self.documents) if self.model and self.documents else None
        with (self.scratch / LINES).open(encoding="utf-8") as lines:
            if not self.documents:
                return
            for rows, vectors in embedded(self.spool, np.arange(self.documents), word_vectors):
                for row, vector in zip(rows.tolist(), vectors, strict=True):
                    entry = json.loads(next(lines)) | vector_fields(vector)
                    if sentences is not None:
                        entry[SENTENCE_BYTES] = encoded(sentences[row])
                    yield {"_op_type": "index", "_index": index, "_id": str(row), "_source": entry}

    def _value_entries(self, index: str, tables: Tables) -> Iterator[Json]:
        yield {"_op_type": "index", "_index": index, "_id": TABLE_ID, "_source": tables.entry()}
        for facet, numbered in self.values.items():
            for number, (name, count) in enumerate(zip(numbered.names, numbered.counts, strict=True)):
                entry = {
                    KIND: facet,
                    WORDS: " ".join(analysis.name_terms(analysis.with_cjk_pairs(name))),
                    NUMBER: number,
                    COUNT: count,
                    KEY: value_key(facet, name),
                    NAME: name,
                }
                yield {"_op_type": "index", "_index": index, "_id": value_id(facet, number), "_source": entry}
