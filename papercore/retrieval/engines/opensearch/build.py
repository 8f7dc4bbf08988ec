"""Builds an index on the cluster: new indexes are filled aside, checked, and published together."""

import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.document import Document
from papercore.retrieval.basics.errors import ClusterFailed, EngineFailed
from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.build import BuildReport
from papercore.retrieval.engines.embedded.folder import Manifest
from papercore.retrieval.engines.interface import Rows
from papercore.retrieval.engines.opensearch.build_input import BuildInput, Entry
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import (
    COUNT,
    KEY,
    KIND,
    NAME,
    NUMBER,
    WORDS,
    papers_index,
    values_index,
)
from papercore.retrieval.engines.opensearch.facet_values import value_id, value_key
from papercore.retrieval.engines.opensearch.passages import NUMBER as NUMBER_OF_PASSAGE
from papercore.retrieval.engines.opensearch.passages import passages_index
from papercore.retrieval.engines.opensearch.previous_build import KnownValue, PreviousBuild, all_hits
from papercore.retrieval.engines.opensearch.registry import Build, BuildLock, IndexNames, Registry
from papercore.retrieval.engines.opensearch.tables import TABLE_ID, Tables
from papercore.retrieval.vectors.embedding import fit
from papercore.retrieval.vectors.meaning import WeightedWordVectors
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.retrieval.vectors.word_vectors import Matrix, WordVectors

# Wraps what is sent, document by document, of which there are so many.
Watch = Callable[[Iterator[None], int], Iterator[None]]


def build_cluster_index(
    cluster: Cluster,
    documents: Iterable[Document],
    *,
    facets: Sequence[str],
    build_id: str,
    model: SentenceModel | None = None,
    progress: Callable[[int], None] = lambda done: None,
    watch: Watch = lambda sent, total: sent,
) -> BuildReport:
    """Build an index over the documents on the cluster and make it the one of this build id.

    Readers keep the previous index until the new one is complete, and a build that fails changes nothing for them.
    Where little has changed, the new index is a copy of the previous one in which only the difference is sent. A
    whole build that was interrupted is continued by the next one of the same data.
    """
    registry = Registry(cluster)
    with registry.building() as lock, tempfile.TemporaryDirectory(prefix="papersite-build-") as scratch:
        previous = PreviousBuild.read(cluster, registry.newest(), facets, model)
        with BuildInput(Path(scratch), facets, model, previous) as read:

            def reading(done: int) -> None:
                lock.renew()
                progress(done)

            read.read(documents, reading)
            build = _Filling(cluster, registry, lock, read, build_id, watch)
            return build.update(previous) if previous and read.is_update() else build.fill()


class _Filling(Struct, frozen=True):
    """One run, after the documents were read."""

    cluster: Cluster
    registry: Registry
    lock: BuildLock
    read: BuildInput
    build_id: str
    watch: Watch

    def fill(self) -> BuildReport:
        """Send all documents, but those that an interrupted build with the same plan has sent already."""
        plan = self._plan()
        indexes = self.registry.unfinished(plan) or self._begin(plan)
        try:
            tables = Tables.read(self.cluster, indexes.values)
            positions = np.setdiff1d(np.arange(len(self.read)), self._rows_present(indexes.papers))
            self._send(indexes, positions, positions, tables)
            self._send_values(indexes.values, {})
            self._publish(indexes, fitted_on=len(self.read))
        except EngineFailed as error:
            # Whatever the cluster refuses it would refuse again; the rest is continued.
            if not isinstance(error, ClusterFailed):
                self.registry.discard(indexes.all())
            raise
        return BuildReport(len(self.read), len(positions))

    def update(self, previous: PreviousBuild) -> BuildReport:
        """Copy the previous build, and send what has changed since."""
        indexes = self.registry.new_names(self.build_id)
        try:
            for source, name in zip(previous.build.indexes.all(), indexes.all(), strict=True):
                self.cluster.clone_index(source, name)
            changed, removed = self.read.changed(), self.read.removed_rows()
            rows = self.read.updated_rows(changed)
            self._delete(indexes.passages, previous.passages_of(self.cluster, [*rows.tolist(), *removed]))
            self._send(indexes, changed, rows, previous.tables)
            self._delete(indexes.papers, map(str, removed))
            self._send_values(indexes.values, previous.values)
            self._publish(indexes, previous.build.manifest.fitted_on)
        except BaseException:
            self.registry.discard(indexes.all())
            raise
        return BuildReport(len(self.read), len(changed))

    def _plan(self) -> Json:
        """What must be the same for an interrupted build to be continued."""
        manifest = self._manifest(len(self.read))
        return {
            "version": folder.VERSION,
            "build_id": self.build_id,
            "documents": manifest.documents,
            "facets": list(manifest.facets),
            "models": [manifest.word_model, manifest.sentence_model],
            "shards": self.cluster.address.shards,
            # The numbers of facet values begin with those of the build before.
            "previous": self.read.previous.build.indexes.papers if self.read.previous else "",
        }

    def _begin(self, plan: Json) -> IndexNames:
        """New indexes, with the tables that the vectors of all documents depend on."""
        indexes = self.registry.new_names(self.build_id)
        tables = Tables.of(fit(self.read.spool, len(self.read), self._weighted), self.read.frequencies, len(self.read))
        address, dimensions = self.cluster.address, tables.projection.shape[1]
        self.cluster.create_index(indexes.papers, papers_index(address, tuple(self.read.values), dimensions))
        self.cluster.create_index(indexes.values, values_index(address))
        self.cluster.create_index(indexes.passages, passages_index(address))
        self._bulk(iter([_indexed(indexes.values, TABLE_ID, tables.entry())]))
        self.registry.begin(plan, indexes)
        return indexes

    def _weighted(self, projection: Matrix) -> WeightedWordVectors:
        return WeightedWordVectors(WordVectors.load(), projection, self.read.frequency, len(self.read))

    def _rows_present(self, papers: str) -> Rows:
        self.cluster.call(self.cluster.client.indices.refresh, index=papers)
        hits = all_hits(self.cluster, papers, {"_source": False}, schema.ROW)
        return np.array([int(hit["_id"]) for hit in hits], dtype=np.int64)

    def _send(self, indexes: IndexNames, positions: Rows, rows: Rows, tables: Tables) -> None:
        entries = self.read.entries(positions, rows, self._weighted(tables.projection))
        with closing(self._sent(indexes, entries)) as sent:
            for _ in self.watch(sent, len(positions)):
                self.lock.renew()

    def _sent(self, indexes: IndexNames, parts: Iterator[list[Entry]]) -> Generator[None]:
        """Send documents after their passages, so that one that an interrupted build has sent is whole."""
        for part in parts:
            passages = (passage for entry in part for passage in entry.passages)
            self._bulk(_indexed(indexes.passages, passage[NUMBER_OF_PASSAGE], passage) for passage in passages)
            papers = (_indexed(indexes.papers, entry.paper[schema.ROW], entry.paper) for entry in part)
            with closing(self.cluster.bulk(papers)) as sent:
                yield from sent

    def _send_values(self, index: str, listed: Mapping[tuple[str, int], KnownValue]) -> None:
        """List the values of facets with their counts, but those that are listed so already."""
        current = {
            (facet, number): KnownValue(name, count)
            for facet, numbered in self.read.values.items()
            for number, (name, count) in enumerate(zip(numbered.names, numbered.counts, strict=True))
            if count
        }
        self._bulk(
            _indexed(index, value_id(*key), _value_entry(*key, value))
            for key, value in current.items()
            if listed.get(key) != value
        )
        self._delete(index, (value_id(*key) for key in listed if key not in current))

    def _delete(self, index: str, ids: Iterable[str]) -> None:
        self._bulk({"_op_type": "delete", "_index": index, "_id": key} for key in ids)

    def _bulk(self, actions: Iterator[Json]) -> None:
        with closing(self.cluster.bulk(actions)) as sent:
            for _ in sent:
                self.lock.renew()

    def _publish(self, indexes: IndexNames, fitted_on: int) -> None:
        """Check that nothing is missing, have the indexes copied to other nodes, and list them."""
        client, names = self.cluster.client, ",".join(indexes.all())
        self.cluster.call(client.indices.refresh, index=names)
        counted = sum(bool(count) for numbered in self.read.values.values() for count in numbered.counts)
        expected = (len(self.read), 1 + counted, self.read.passages)
        for name, count in zip(indexes.all(), expected, strict=True):
            found = self.cluster.call(client.count, index=name)["count"]
            if found != count:
                raise EngineFailed(f"The search cluster has {found:,} of {count:,} documents.")
        copies = {"index": {"number_of_replicas": self.cluster.address.replicas}}
        self.cluster.call(client.indices.put_settings, index=names, body=copies)
        self.registry.publish(Build(self._manifest(fitted_on), indexes, time.time()))

    def _manifest(self, fitted_on: int) -> Manifest:
        model = self.read.model
        return Manifest(
            version=folder.VERSION,
            build_id=self.build_id,
            documents=len(self.read),
            facets=tuple(self.read.values),
            word_model=WordVectors.load().model_id,
            sentence_model=model.model_id if model else "",
            fitted_on=fitted_on,
            with_sentences=len(self.read) if model else 0,
        )


def _indexed(index: str, key: object, entry: Json) -> Json:
    """Tells the cluster to index this."""
    return {"_op_type": "index", "_index": index, "_id": str(key), "_source": entry}


def _value_entry(facet: str, number: int, value: KnownValue) -> Json:
    return {
        KIND: facet,
        WORDS: " ".join(analysis.name_terms(analysis.with_cjk_pairs(value.name))),
        NUMBER: number,
        COUNT: value.count,
        KEY: value_key(facet, value.name),
        NAME: value.name,
    }
