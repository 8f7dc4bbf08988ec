"""Builds an index on the cluster: new indexes are filled aside, checked, and published together."""

import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.errors import ClusterFailed, EngineFailed
from papercore.retrieval.basics.request import INDEX_HITS, Document
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.fields import ValueNumbers
from papercore.retrieval.engines.generation import VERSION, BuildReport, Manifest
from papercore.retrieval.engines.opensearch import documents as indexed
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import fill_document, papers_index, values_index
from papercore.retrieval.engines.opensearch.facets import value_id, value_key
from papercore.retrieval.engines.opensearch.passages import NUMBER as PASSAGE_NUMBER
from papercore.retrieval.engines.opensearch.passages import fill_passages, numbered, passages_index
from papercore.retrieval.engines.opensearch.registry import Build, BuildLock, IndexNames, Registry
from papercore.retrieval.engines.opensearch.vectors import TABLE_ID, Tables, encoded, known_sentences, vector_fields
from papercore.retrieval.vectors.arrays import Matrix, Rows
from papercore.retrieval.vectors.document_vectors import WordSpool, embedded, fit
from papercore.retrieval.vectors.sentence_model import SentenceModel, text_of
from papercore.retrieval.vectors.word_vectors import WeightedWordVectors, WordVectors

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
    One that was interrupted is continued by the next one of the same data.
    """
    registry = Registry(cluster)
    with (
        registry.building() as lock,
        tempfile.TemporaryDirectory(prefix="papersite-build-") as scratch,
        WordSpool(Path(scratch) / "words") as spool,
    ):
        read = _Input(Path(scratch) / "documents.jsonl", spool, facets, model)
        for done in read.read(documents):
            lock.renew()
            progress(done)
        return _Filling(cluster, registry, lock, read, build_id, watch).fill()


class _Input:
    """The documents of a build in the order of their rows, as they will be sent, in a file.

    Their vectors depend on the words of all of them, so all are read before any is sent.
    """

    def __init__(self, lines: Path, spool: WordSpool, facets: Sequence[str], model: SentenceModel | None) -> None:
        self._lines = lines
        self.spool = spool
        self.model = model
        # How many documents have each term, and how many documents and passages there are.
        self.frequencies: Counter[str] = Counter()
        self.documents = self.passages = 0
        self.values = {name: ValueNumbers() for name in facets}

    def read(self, documents: Iterable[Document]) -> Iterator[int]:
        """Write the documents to the file and note their words; yields how many have been read."""
        with self._lines.open("w", encoding="utf-8") as lines:
            for row, document in enumerate(documents):
                numbers = {name: values.add(document.facets.get(name, ())) for name, values in self.values.items()}
                paper, passages = fill_document(document, row, numbers), list(fill_passages(document))
                text = text_of(document.title, document.text) if self.model else ""
                lines.write(json.dumps([paper, passages, text]) + "\n")
                self.frequencies.update({term for text in paper[fields.ALL] for term in text.split()})
                self.spool.add(document)
                self.passages += len(passages)
                self.documents += 1
                yield self.documents
        del self.frequencies[indexed.GAP]

    def weighted(self, projection: Matrix) -> WeightedWordVectors:
        # A Counter answers 0 for a term that it does not have, and does not keep it.
        return WeightedWordVectors(WordVectors.load(), projection, self.frequencies.__getitem__, self.documents)

    def entries(self, rows: Rows, projection: Matrix) -> Iterator[list["_Entry"]]:
        """The documents with these rows, which ascend, and their vectors, some at a time."""
        if not len(rows):
            return
        wanted = frozenset(rows.tolist())
        with self._lines.open(encoding="utf-8") as lines:
            found = (_Entry(*json.loads(line)) for row, line in enumerate(lines) if row in wanted)
            for chunk, vectors in embedded(self.spool, rows, self.weighted(projection)):
                entries = [next(found) for _ in chunk]
                for entry, vector in zip(entries, vectors, strict=True):
                    entry.paper.update(vector_fields(vector))
                yield entries


class _Entry(Struct, frozen=True):
    """A document and its passages as they are sent, and the text that the sentence model reads."""

    paper: Json
    passages: list[Json]
    text: str


class _Filling(Struct, frozen=True):
    """One run, after the documents were read."""

    cluster: Cluster
    registry: Registry
    lock: BuildLock
    read: _Input
    build_id: str
    watch: Watch

    def fill(self) -> BuildReport:
        """Send all documents, but those that an interrupted build with the same plan has sent already."""
        manifest = self._manifest()
        plan = {
            "version": manifest.version,
            "build_id": manifest.build_id,
            "documents": manifest.documents,
            "facets": list(manifest.facets),
            "models": [manifest.word_model, manifest.sentence_model],
            "shards": self.cluster.address.shards,
        }
        indexes = self.registry.unfinished(plan) or self._begin(plan)
        try:
            projection = Tables.read(self.cluster, indexes.values).projection
            missing = np.setdiff1d(np.arange(self.read.documents), self._rows_present(indexes.papers))
            with closing(self._sent(indexes, self.read.entries(missing, projection))) as sent:
                for _ in self.watch(sent, len(missing)):
                    self.lock.renew()
            values = self._send_values(indexes.values)
            self._publish(Build(manifest, indexes, time.time()), values)
        except EngineFailed as error:
            # Whatever the cluster refuses it would refuse again; the rest is continued.
            if not isinstance(error, ClusterFailed):
                self.registry.discard(indexes.all())
            raise
        return BuildReport(self.read.documents, len(missing))

    def _manifest(self) -> Manifest:
        model, documents = self.read.model, self.read.documents
        return Manifest(
            version=VERSION,
            build_id=self.build_id,
            documents=documents,
            facets=tuple(self.read.values),
            word_model=WordVectors.load().model_id,
            sentence_model=model.model_id if model else "",
            fitted_on=documents,
            with_sentences=documents if model else 0,
        )

    def _begin(self, plan: Json) -> IndexNames:
        """New indexes, with the tables that the vectors of all documents depend on."""
        indexes = self.registry.new_names(self.build_id)
        projection = fit(self.read.spool, self.read.documents, self.read.weighted)
        tables = Tables.of(projection, self.read.frequencies, self.read.documents)
        address = self.cluster.address
        self.cluster.create_index(indexes.papers, papers_index(address, list(self.read.values), projection.shape[1]))
        self.cluster.create_index(indexes.values, values_index(address))
        self.cluster.create_index(indexes.passages, passages_index(address))
        self._bulk(iter([_indexed(indexes.values, TABLE_ID, tables.entry())]))
        self.registry.begin(plan, indexes)
        return indexes

    def _rows_present(self, papers: str) -> Rows:
        self.cluster.call(self.cluster.client.indices.refresh, index=papers)
        body: Json = {
            "_source": False,
            "size": INDEX_HITS,
            "sort": [{fields.ROW: "asc"}],
            "track_total_hits": False,
        }
        rows: list[int] = []
        while hits := self.cluster.search(papers, body)["hits"]["hits"]:
            rows += [int(hit["_id"]) for hit in hits]
            body["search_after"] = [rows[-1]]
        return np.array(rows, dtype=np.int64)

    def _sent(self, indexes: IndexNames, parts: Iterator[list[_Entry]]) -> Generator[None]:
        """Send documents after their passages, so that one that an interrupted build has sent is whole."""
        model = self.read.model
        before = self.registry.newest() if model else None
        for part in parts:
            if model:
                self._add_sentences(model, before, part)
            self._bulk(
                _indexed(indexes.passages, passage[PASSAGE_NUMBER], passage)
                for entry in part
                for passage in numbered(entry.passages, entry.paper[fields.ROW])
            )
            papers = (_indexed(indexes.papers, entry.paper[fields.ROW], entry.paper) for entry in part)
            with closing(self.cluster.bulk(papers)) as sent:
                yield from sent

    def _add_sentences(self, model: SentenceModel, before: Build | None, entries: Sequence[_Entry]) -> None:
        """Add the sentence model's vectors. It reads some ten texts a second, so what it has read is taken over."""
        keys = [indexed.digest(f"{entry.paper[fields.STORED_ID]} {entry.text}") for entry in entries]
        known: dict[str, str] = {}
        if before and before.manifest.sentence_model == model.model_id:
            known = known_sentences(self.cluster, before.indexes.papers, keys)
        unread = [(key, entry.text) for key, entry in zip(keys, entries, strict=True) if key not in known]
        if unread:
            vectors = model.encode([text for _, text in unread]).astype(np.float16)
            known |= {key: encoded(vector) for (key, _), vector in zip(unread, vectors, strict=True)}
        for key, entry in zip(keys, entries, strict=True):
            entry.paper.update({indexed.SENTENCE_KEY: key, indexed.SENTENCE_BYTES: known[key]})

    def _send_values(self, index: str) -> int:
        """List the values of facets with their counts; how many there are."""
        values = [
            (facet, number, name, count)
            for facet, numbers in self.read.values.items()
            for number, (name, count) in enumerate(zip(numbers.names, numbers.counts, strict=True))
        ]
        self._bulk(
            _indexed(
                index,
                value_id(facet, number),
                {
                    indexed.KIND: facet,
                    indexed.WORDS: " ".join(analysis.name_terms(analysis.with_cjk_pairs(name))),
                    indexed.NUMBER: number,
                    indexed.COUNT: count,
                    indexed.KEY: value_key(facet, name),
                    indexed.NAME: name,
                },
            )
            for facet, number, name, count in values
        )
        return len(values)

    def _bulk(self, actions: Iterator[Json]) -> None:
        with closing(self.cluster.bulk(actions)) as sent:
            for _ in sent:
                self.lock.renew()

    def _publish(self, build: Build, values: int) -> None:
        """Check that nothing is missing, have the indexes copied to other nodes, and list them."""
        client, names = self.cluster.client, build.indexes.all()
        self.cluster.call(client.indices.refresh, index=",".join(names))
        # Beside the values are the tables.
        expected = (self.read.documents, 1 + values, self.read.passages)
        for name, count in zip(names, expected, strict=True):
            found = self.cluster.call(client.count, index=name)["count"]
            if found != count:
                raise EngineFailed(f"The search cluster has {found:,} of {count:,} documents.")
        copies = {"index": {"number_of_replicas": self.cluster.address.replicas}}
        self.cluster.call(client.indices.put_settings, index=",".join(names), body=copies)
        self.registry.publish(build)


def _indexed(index: str, key: object, entry: Json) -> Json:
    """Tells the cluster to index this."""
    return {"_op_type": "index", "_index": index, "_id": str(key), "_source": entry}
