"""Builds an index: words, passages and vectors are written aside and published together."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics.errors import IndexDamaged
from papercore.retrieval.basics.request import Document
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.facets import FacetValueTable, write_completions
from papercore.retrieval.engines.embedded.passages import PassageWriter
from papercore.retrieval.engines.embedded.vectors import VectorWriter, open_sentence_vectors, write_sentence_vectors
from papercore.retrieval.engines.embedded.word_index import WordWriter
from papercore.retrieval.engines.fields import ValueNumbers
from papercore.retrieval.engines.generation import VERSION, BuildReport, Manifest
from papercore.retrieval.vectors.arrays import Matrix, Rows, map_array
from papercore.retrieval.vectors.document_vectors import (
    GROWTH,
    SPOOL,
    UNCHANGED_SHARE,
    WordSpool,
    embedded,
    fit,
)
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.retrieval.vectors.word_vectors import WeightedWordVectors, WordVectors


def build_index(
    path: Path,
    documents: Iterable[Document],
    *,
    facets: Sequence[str],
    build_id: str,
    model: SentenceModel | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> BuildReport:
    """Build an index over the documents in the folder and make it the current one.

    `progress` is called with the number of documents indexed so far. Readers keep the previous index until the new
    one is complete; only documents that changed are embedded again. What a sentence model says of them takes long:
    `fill_sentence_vectors` adds it while the index is served.
    """
    with folder.building(path) as new:
        previous = _PreviousIndex.of(path)
        with WordSpool(new / SPOOL) as spool:
            digests, frequency = _write_words(new, documents, facets, spool, progress)
            np.save(new / folder.DIGESTS, np.array(digests, dtype="V16"))
            rows = np.array([previous.rows.get(digest, -1) for digest in digests], dtype=np.int64)
            fitted_on, embedded_again = _write_vectors(new, previous, rows, spool, frequency)
        with_sentences = 0
        if model:
            with_sentences = write_sentence_vectors(new, model.dimensions, previous.sentences(model), rows)
        manifest = Manifest(
            version=VERSION,
            build_id=build_id,
            documents=len(digests),
            facets=tuple(facets),
            word_model=WordVectors.load().model_id,
            sentence_model=model.model_id if model else "",
            fitted_on=fitted_on,
            with_sentences=with_sentences,
        )
        folder.write_manifest(new, manifest)
        return BuildReport(len(digests), embedded_again)


def _write_words(
    new: Path,
    documents: Iterable[Document],
    facets: Sequence[str],
    spool: WordSpool,
    progress: Callable[[int], None],
) -> tuple[list[bytes], Callable[[str], int]]:
    """Write what is found by words, and note the words for the vectors.

    Returns the digests of the documents, and the number of documents with a term.
    """
    digests: list[bytes] = []
    values = {name: ValueNumbers() for name in facets}
    words, passages = WordWriter.new(new, facets), PassageWriter.new(new)
    for row, document in enumerate(documents):
        numbers = {name: found.add(document.facets.get(name, ())) for name, found in values.items()}
        words.add(document, row, numbers)
        passages.add(document, row)
        spool.add(document)
        digests.append(document.digest())
        progress(row + 1)
    passages.finish()
    for name, found in values.items():
        FacetValueTable.empty().write(new / folder.FACET_VALUES / name, found.names)
    write_completions(new, values)
    return digests, words.finish(len(digests))


def _write_vectors(
    new: Path, previous: "_PreviousIndex", rows: Rows, spool: WordSpool, frequency: Callable[[str], int]
) -> tuple[int, int]:
    """Copy the vectors of unchanged documents, and compute the others.

    `rows` are those of the same documents in the previous index, -1 for others. Returns how many documents the
    projection is based on, and how many were embedded.
    """
    total = len(rows)

    def weighted(projection: Matrix) -> WeightedWordVectors:
        return WeightedWordVectors(WordVectors.load(), projection, frequency, total)

    projection, fitted_on = previous.projection(int((rows >= 0).sum()), total), total
    if projection is None:
        rows = np.full_like(rows, -1)
        projection = fit(spool, total, weighted)
    elif previous.manifest:
        fitted_on = previous.manifest.fitted_on
    np.save(new / folder.PROJECTION, projection)
    same, changed = np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)
    writer = VectorWriter(new, total, projection.shape[1], previous.path if len(same) else None)
    writer.take_over(same, rows[same])
    if len(changed):
        for part, vectors in embedded(spool, changed, weighted(projection)):
            writer.write(part, vectors)
    writer.finish()
    return fitted_on, len(changed)


class _PreviousIndex(Struct, frozen=True):
    """The newest generation so far: its vectors, by the digest of their document."""

    path: Path
    manifest: Manifest | None
    rows: dict[bytes, int]

    @classmethod
    def of(cls, path: Path) -> "_PreviousIndex":
        newest = next(iter(folder.generations(path)), path)
        manifest = folder.read_manifest(newest)
        if manifest is None or not manifest.documents:
            return cls(newest, None, {})
        try:
            folder.verify(newest, manifest.files)
        except IndexDamaged:
            return cls(newest, None, {})
        digests = map_array(newest / folder.DIGESTS)
        return cls(newest, manifest, {digest.tobytes(): row for row, digest in enumerate(digests)})

    def sentences(self, model: SentenceModel) -> Matrix | None:
        """Its sentence vectors, if this model computed them."""
        if self.manifest is None or self.manifest.sentence_model != model.model_id:
            return None
        return open_sentence_vectors(self.path, self.manifest.documents)

    def projection(self, unchanged: int, total: int) -> Matrix | None:
        """Its projection, if the collection changed little enough to keep it."""
        if self.manifest is None or self.manifest.word_model != WordVectors.load().model_id:
            return None
        if unchanged < UNCHANGED_SHARE * total or total > GROWTH * self.manifest.fitted_on:
            return None
        return np.asarray(map_array(self.path / folder.PROJECTION), dtype=np.float32)
