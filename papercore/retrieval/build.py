"""Build an index: words and vectors to the side, published whole."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import tantivy
from numpy.typing import NDArray

from papercore.retrieval import folder, schema, suggestions
from papercore.retrieval.document import Document
from papercore.retrieval.embedding import WordSpool, embedded, fit
from papercore.retrieval.folder import Manifest
from papercore.retrieval.meaning import Rows, WordSpace
from papercore.retrieval.sentence_model import SentenceModel, SentenceWriter, open_vectors
from papercore.retrieval.storage import new_index
from papercore.retrieval.values import ValueNumbers
from papercore.retrieval.wordvectors import Matrix, WordVectors

Progress = Callable[[int], None]
WORDS, VALUES, SPOOL = "words", "values", "words.spool"
VECTORS, PROJECTION, DIGESTS, ADDRESSES = "vectors.npy", "projection.npy", "digests.npy", "addresses.npy"
# One writer keeps up with what Python hands it; the large heap makes few segments, which answer faster.
WRITERS, HEAP_BYTES = 1, 600_000_000
# With this share of the documents unchanged, the directions found before still tell them apart.
UNCHANGED_SHARE = 0.8
# And the collection may have grown by this factor since.
GROWTH = 1.25


@dataclass(frozen=True)
class BuildReport:
    """What a build did."""

    documents: int
    embedded: int


def build_index(
    path: Path,
    documents: Iterable[Document],
    *,
    facets: Sequence[str],
    build_id: str,
    model: SentenceModel | None = None,
    progress: Progress = lambda done: None,
) -> BuildReport:
    """Build an index over the documents in the folder and make it the current one.

    `progress` is told the number of documents taken up so far. Readers go on with the former index until the
    new one is complete; only documents that changed are embedded again.
    """
    with folder.building(path) as new, WordSpool(new / SPOOL) as spool:
        return _Build(new, _Former.of(path), facets, model, spool).run(documents, build_id, progress)


@dataclass(frozen=True)
class _Former:
    """The generation before: its vectors, by the digest of the document that they stand for."""

    path: Path
    manifest: Manifest | None
    rows: dict[bytes, int]

    @classmethod
    def of(cls, path: Path) -> "_Former":
        newest = next(iter(folder.generations(path)), path)
        manifest = Manifest.read(newest)
        if manifest is None or not manifest.documents:
            return cls(newest, None, {})
        digests = np.load(newest / DIGESTS)
        return cls(newest, manifest, {digest.tobytes(): row for row, digest in enumerate(digests)})

    def sentences(self, model: SentenceModel) -> Matrix | None:
        """Its sentence vectors, if this model made them."""
        if self.manifest is None or self.manifest.sentence_model != model.model_id:
            return None
        return open_vectors(self.path, self.manifest.documents)

    def projection(self, unchanged: int, total: int) -> Matrix | None:
        """Its directions, if they still tell apart a collection of which so much is unchanged."""
        if self.manifest is None or self.manifest.word_model != WordVectors.load().model_id:
            return None
        if unchanged < UNCHANGED_SHARE * total or total > GROWTH * self.manifest.fitted_on:
            return None
        return np.asarray(np.load(self.path / PROJECTION), dtype=np.float32)


class _Build:
    """One run: the documents pass once, then their vectors are computed from what was noted."""

    def __init__(
        self,
        path: Path,
        former: _Former,
        facets: Sequence[str],
        model: SentenceModel | None,
        spool: WordSpool,
    ) -> None:
        self.path = path
        self.former = former
        self.facets = tuple(facets)
        self.model = model
        self.spool = spool
        self.digests: list[bytes] = []
        self.values = {name: ValueNumbers() for name in self.facets}

    def run(self, documents: Iterable[Document], build_id: str, progress: Progress) -> BuildReport:
        index = self._write_words(documents, progress)
        for name, values in self.values.items():
            values.write(self.path / VALUES / name)
        suggestions.write(self.path, self.values)
        np.save(self.path / DIGESTS, np.array(self.digests, dtype="V16"))
        np.save(self.path / ADDRESSES, addresses(index, len(self.digests)))
        fitted_on, embedded_again = self._write_vectors(index)
        Manifest(
            version=folder.VERSION,
            build_id=build_id,
            documents=len(self.digests),
            facets=self.facets,
            word_model=WordVectors.load().model_id,
            sentence_model=self.model.model_id if self.model else "",
            fitted_on=fitted_on,
        ).write(self.path)
        return BuildReport(len(self.digests), embedded_again)

    def _write_words(self, documents: Iterable[Document], progress: Progress) -> tantivy.Index:
        index = new_index(self.path / WORDS, schema.build(self.facets))
        writer = index.writer(HEAP_BYTES, WRITERS)
        with ExitStack() as stack:
            sentences = stack.enter_context(self._sentence_writer(self.model)) if self.model else None
            for row, document in enumerate(documents):
                numbers = {name: values.of(document.facets.get(name, ())) for name, values in self.values.items()}
                writer.add_document(schema.fill(document, row, numbers))
                self._note(document)
                if sentences:
                    sentences.add(document, self.former.rows.get(self.digests[-1]))
                progress(row + 1)
            if sentences:
                sentences.finish()
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return index

    def _sentence_writer(self, model: SentenceModel) -> SentenceWriter:
        return SentenceWriter(self.path, model, self.former.sentences(model))

    def _note(self, document: Document) -> None:
        self.digests.append(document.digest())
        self.spool.add(document)

    def _write_vectors(self, index: tantivy.Index) -> tuple[int, int]:
        """Fill the vectors; on how many documents their directions rest, and how many were embedded."""
        searcher, total = index.searcher(), len(self.digests)

        def space(projection: Matrix) -> WordSpace:
            return WordSpace(WordVectors.load(), projection, partial(searcher.doc_freq, schema.ALL), total)

        rows = np.array([self.former.rows.get(digest, -1) for digest in self.digests], dtype=np.int64)
        projection, fitted_on = self.former.projection(int((rows >= 0).sum()), total), total
        if projection is None:
            rows[:] = -1
            projection = fit(self.spool, total, space)
        elif self.former.manifest:
            fitted_on = self.former.manifest.fitted_on
        np.save(self.path / PROJECTION, projection)
        self._fill_vectors(rows, space(projection))
        return fitted_on, int((rows < 0).sum())

    def _fill_vectors(self, former_rows: Rows, space: WordSpace) -> None:
        """Copy the vectors of unchanged documents, compute the others."""
        shape = (space.projection.shape[1], len(former_rows))
        columns = np.lib.format.open_memmap(self.path / VECTORS, mode="w+", dtype=np.float32, shape=shape)
        same, changed = np.flatnonzero(former_rows >= 0), np.flatnonzero(former_rows < 0)
        if len(same):
            columns[:, same] = np.load(self.former.path / VECTORS, mmap_mode="r")[:, former_rows[same]]
        if len(changed):
            for rows, vectors in embedded(self.spool, changed, space):
                columns[:, rows] = vectors.T
        columns.flush()


def addresses(index: tantivy.Index, count: int) -> NDArray[np.int32]:
    """Per row, the place of its document in the word index, which never changes once it is written."""
    if not count:
        return np.zeros((0, 2), dtype=np.int32)
    everything, ascending = tantivy.Query.all_query(), tantivy.Order.Asc
    found = index.searcher().search(everything, count, count=False, order_by_field=schema.ROW, order=ascending)
    return np.array([(address.segment_ord, address.doc) for _, address in found.hits], dtype=np.int32)
