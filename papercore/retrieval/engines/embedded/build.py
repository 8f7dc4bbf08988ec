"""Builds an index: words and vectors are written aside and published together."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
from msgspec import Struct

from papercore.npy import map_array
from papercore.retrieval.basics.document import Document
from papercore.retrieval.basics.errors import IndexDamaged
from papercore.retrieval.engines.embedded import checksums, folder, suggestions
from papercore.retrieval.engines.embedded.folder import Manifest
from papercore.retrieval.engines.embedded.passages import PassageWriter, new_passages
from papercore.retrieval.engines.embedded.vector_writer import VectorWriter
from papercore.retrieval.engines.embedded.word_writer import WordWriter, new_words
from papercore.retrieval.engines.facets import ValueNumbers
from papercore.retrieval.engines.interface import Rows
from papercore.retrieval.vectors.embedding import WordSpool, embedded, fit
from papercore.retrieval.vectors.meaning import WeightedWordVectors
from papercore.retrieval.vectors.sentence_model import SentenceModel, open_vectors, write_vectors
from papercore.retrieval.vectors.word_vectors import Matrix, WordVectors

SPOOL = "words.spool"
# The projection of the previous index is kept while this share of the documents is unchanged ...
UNCHANGED_SHARE = 0.8
# ... and the collection has grown by no more than this since the projection was computed.
GROWTH = 1.25


class BuildReport(Struct, frozen=True):
    """How many documents were indexed, and how many of them had to be embedded."""

    documents: int
    embedded: int


def build_index(
    path: Path,
    documents: Iterable[Document],
    *,
    facets: Sequence[str],
    build_id: str,
    frequent: Mapping[str, Collection[str]] = MappingProxyType({}),
    model: SentenceModel | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> BuildReport:
    """Build an index over the documents in the folder and make it the current one.

    `frequent` names for facets with many values those that most documents have, as far as that is known: broad
    searches then count them alone, in a fraction of the time. Counts are right whatever it names.

    `progress` is called with the number of documents indexed so far. Readers keep the previous index until the new
    one is complete; only documents that changed are embedded again. What a sentence model says of them takes long:
    `fill_sentence_vectors` adds it while the index is served.
    """
    with folder.building(path) as new:
        with WordSpool(new / SPOOL) as spool:
            values = {name: ValueNumbers(frequent.get(name, ())) for name in facets}
            build = _Build(new, _PreviousIndex.of(path), values, model, spool)
            manifest, report = build.run(documents, build_id, progress)
        manifest.write(new)
        return report


class _PreviousIndex(Struct, frozen=True):
    """The newest generation so far: its vectors, by the digest of their document."""

    path: Path
    manifest: Manifest | None
    rows: dict[bytes, int]

    @classmethod
    def of(cls, path: Path) -> "_PreviousIndex":
        newest = next(iter(folder.generations(path)), path)
        manifest = Manifest.read(newest)
        if manifest is None or not manifest.documents:
            return cls(newest, None, {})
        try:
            checksums.verify(newest, manifest.files)
        except IndexDamaged:
            return cls(newest, None, {})
        digests = map_array(newest / folder.DIGESTS)
        return cls(newest, manifest, {digest.tobytes(): row for row, digest in enumerate(digests)})

    def sentences(self, model: SentenceModel) -> Matrix | None:
        """Its sentence vectors, if this model computed them."""
        if self.manifest is None or self.manifest.sentence_model != model.model_id:
            return None
        return open_vectors(self.path, self.manifest.documents)

    def projection(self, unchanged: int, total: int) -> Matrix | None:
        """Its projection, if the collection changed little enough to keep it."""
        if self.manifest is None or self.manifest.word_model != WordVectors.load().model_id:
            return None
        if unchanged < UNCHANGED_SHARE * total or total > GROWTH * self.manifest.fitted_on:
            return None
        return np.asarray(map_array(self.path / folder.PROJECTION), dtype=np.float32)


class _Build:
    """One run: reads the documents once, then computes the vectors from the words noted in passing."""

    def __init__(
        self,
        path: Path,
        previous: _PreviousIndex,
        values: Mapping[str, ValueNumbers],
        model: SentenceModel | None,
        spool: WordSpool,
    ) -> None:
        self.path = path
        self.previous = previous
        self.facets = tuple(values)
        self.model = model
        self.spool = spool
        self.digests: list[bytes] = []
        self.values = values

    def run(
        self, documents: Iterable[Document], build_id: str, progress: Callable[[int], None]
    ) -> tuple[Manifest, BuildReport]:
        frequency = self._write_words(documents, progress)
        for name, values in self.values.items():
            values.write(self.path / folder.FACET_VALUES / name)
        suggestions.write(self.path, self.values)
        np.save(self.path / folder.DIGESTS, np.array(self.digests, dtype="V16"))
        rows = np.array([self.previous.rows.get(digest, -1) for digest in self.digests], dtype=np.int64)
        with_sentences = 0
        if self.model:
            with_sentences = write_vectors(self.path, self.model.dimensions, self.previous.sentences(self.model), rows)
        fitted_on, embedded_again = self._write_vectors(frequency, rows)
        manifest = Manifest(
            version=folder.VERSION,
            build_id=build_id,
            documents=len(self.digests),
            facets=self.facets,
            word_model=WordVectors.load().model_id,
            sentence_model=self.model.model_id if self.model else "",
            fitted_on=fitted_on,
            with_sentences=with_sentences,
        )
        return manifest, BuildReport(len(self.digests), embedded_again)

    def _write_words(self, documents: Iterable[Document], progress: Callable[[int], None]) -> Callable[[str], int]:
        """Write the word index; return the number of documents with a term."""
        frequent = {name: values.frequent for name, values in self.values.items()}
        writer = WordWriter(self.path, new_words(self.path, self.facets), frequent)
        passages = PassageWriter(new_passages(self.path))
        for row, document in enumerate(documents):
            numbers = {name: values.add(document.facets.get(name, ())) for name, values in self.values.items()}
            writer.add(document, row, numbers)
            passages.add(document, row)
            self.digests.append(document.digest())
            self.spool.add(document)
            progress(row + 1)
        passages.finish()
        return writer.finish(len(self.digests))

    def _write_vectors(self, frequency: Callable[[str], int], rows: Rows) -> tuple[int, int]:
        """Write the vectors; return how many documents their projection is based on, and how many were embedded.

        `rows` are those of the same documents in the previous index, -1 for others.
        """
        total = len(self.digests)

        def weighted(projection: Matrix) -> WeightedWordVectors:
            return WeightedWordVectors(WordVectors.load(), projection, frequency, total)

        projection, fitted_on = self.previous.projection(int((rows >= 0).sum()), total), total
        if projection is None:
            rows = np.full_like(rows, -1)
            projection = fit(self.spool, total, weighted)
        elif self.previous.manifest:
            fitted_on = self.previous.manifest.fitted_on
        np.save(self.path / folder.PROJECTION, projection)
        self._fill_vectors(rows, weighted(projection))
        return fitted_on, int((rows < 0).sum())

    def _fill_vectors(self, previous_rows: Rows, word_vectors: WeightedWordVectors) -> None:
        """Copy the vectors of unchanged documents, compute the others."""
        same, changed = np.flatnonzero(previous_rows >= 0), np.flatnonzero(previous_rows < 0)
        before = self.previous.path if len(same) else None
        writer = VectorWriter(self.path, len(previous_rows), word_vectors.projection.shape[1], before)
        writer.take_over(same, previous_rows[same])
        if len(changed):
            for rows, vectors in embedded(self.spool, changed, word_vectors):
                writer.write(rows, vectors)
        writer.finish()
