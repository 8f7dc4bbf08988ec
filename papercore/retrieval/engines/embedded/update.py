"""Updates an index: the documents that changed are indexed, everything else is shared with the generation before."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from papercore.npy import map_array
from papercore.retrieval.basics.document import Document
from papercore.retrieval.basics.errors import EngineFailed, IndexDamaged, engine_panics_translated
from papercore.retrieval.engines.embedded import checksums, folder, suggestions
from papercore.retrieval.engines.embedded.build import GROWTH, SPOOL, UNCHANGED_SHARE
from papercore.retrieval.engines.embedded.facet_updates import GrowingValues
from papercore.retrieval.engines.embedded.folder import Manifest
from papercore.retrieval.engines.embedded.passages import PassageWriter, shared_passages
from papercore.retrieval.engines.embedded.row_plan import RowPlan, plan_rows
from papercore.retrieval.engines.embedded.shared_files import link_file
from papercore.retrieval.engines.embedded.vector_writer import VectorWriter
from papercore.retrieval.engines.embedded.word_updater import HEAP_BYTES, WordUpdater
from papercore.retrieval.engines.facets import FacetValueTable
from papercore.retrieval.engines.generation import has_meaning
from papercore.retrieval.vectors.embedding import WordSpool, embedded
from papercore.retrieval.vectors.meaning import WeightedWordVectors
from papercore.retrieval.vectors.sentence_model import SentenceModel, open_vectors, write_vectors
from papercore.retrieval.vectors.word_vectors import WordVectors

DocumentsOf = Callable[[Sequence[str]], Iterable[Document]]


def update_index(
    path: Path,
    *,
    build_before: str,
    build_id: str,
    changed: Collection[str],
    documents_of: DocumentsOf,
    facets: Sequence[str],
    model: SentenceModel | None = None,
) -> bool:
    """Make an index for the new data from that of the data before, in the same folder; both stay usable.

    `changed` are the ids of documents that came, changed or went; `documents_of` returns those that are there now.
    False if the index before is missing, damaged or of another kind, or if too much changed: then build one.
    """
    found = _generation(path, build_id)
    if found:
        return True
    before = _generation(path, build_before)
    if before is None or not _can_be_updated(before[1], len(changed), facets, model):
        return False
    try:
        with folder.building(path, kept=before[0]) as new, engine_panics_translated():
            update = _IndexUpdate(*before, new, model)
            manifest = update.run(changed, documents_of, build_id)
            manifest.write(new, checksums.shared_sums(new, before[0], before[1].files))
    except (EngineFailed, IndexDamaged, ValueError):
        # The engine's own errors are ValueErrors.
        return False
    return True


def _generation(path: Path, build_id: str) -> tuple[Path, Manifest] | None:
    for generation in folder.generations(path):
        manifest = Manifest.read(generation)
        if manifest and manifest.build_id == build_id:
            return generation, manifest
    return None


def _can_be_updated(manifest: Manifest, changes: int, facets: Sequence[str], model: SentenceModel | None) -> bool:
    largest = manifest.documents + changes
    if largest > GROWTH * manifest.fitted_on or changes > (1 - UNCHANGED_SHARE) * largest:
        return False
    return manifest.facets == tuple(facets) and has_meaning(manifest, model)


class _IndexUpdate:
    def __init__(self, before: Path, manifest: Manifest, path: Path, model: SentenceModel | None) -> None:
        checksums.check_sizes(before, manifest.files)
        self._before = before
        self._manifest = manifest
        self._path = path
        self._model = model
        tables = ((name, FacetValueTable.open(before / folder.FACET_VALUES / name)) for name in manifest.facets)
        self._values = {name: GrowingValues(table) for name, table in tables}

    def run(self, changed: Collection[str], documents_of: DocumentsOf, build_id: str) -> Manifest:
        frequent = {name: values.frequent for name, values in self._values.items()}
        words = WordUpdater(self._before, self._path, frequent)
        documents = {document.id: document for document in documents_of(sorted(changed))}
        known = words.rows_of(changed)
        plan = plan_rows(self._manifest.documents, known, documents, words.id_at)
        moved = [key for key in plan.rows if key not in documents]
        before = {**known, **words.rows_of(moved)}
        documents |= {document.id: document for document in documents_of(moved)}
        frequency = self._write_words(words, plan, before, documents)
        for name, values in self._values.items():
            values.write(self._path / folder.FACET_VALUES / name)
        suggestions.update(self._before, self._path, self._values)
        self._write_vectors(plan, documents, frequency)
        with_sentences = self._write_sentences(plan, before, self._model) if self._model else 0
        return replace(self._manifest, build_id=build_id, documents=plan.total, with_sentences=with_sentences, files=())

    def _write_words(
        self, words: WordUpdater, plan: RowPlan, known: Mapping[str, int], documents: Mapping[str, Document]
    ) -> Callable[[str], int]:
        passages = PassageWriter(shared_passages(self._before, self._path), HEAP_BYTES)
        for key, row in known.items():
            for values, old in zip(self._values.values(), words.values_at(row), strict=True):
                values.remove(old)
            words.remove(key)
            passages.remove(row)
        for key, row in plan.rows.items():
            document = documents[key]
            numbers = {name: values.add(document.facets.get(name, ())) for name, values in self._values.items()}
            words.add(document, row, numbers)
            passages.add(document, row)
        passages.finish()
        return words.finish(plan.total)

    def _write_vectors(self, plan: RowPlan, documents: Mapping[str, Document], frequency: Callable[[str], int]) -> None:
        """Copy the vectors of the documents that stay, and embed the others in the same projection."""
        link_file(self._before / folder.PROJECTION, self._path / folder.PROJECTION)
        projection = np.asarray(map_array(self._path / folder.PROJECTION), dtype=np.float32)
        vectors = WeightedWordVectors(WordVectors.load(), projection, frequency, plan.total)
        writer = VectorWriter(self._path, plan.total, projection.shape[1], self._before)
        same = min(plan.total, self._manifest.documents)
        writer.take_over(slice(same), slice(same))
        digests = np.zeros(plan.total, dtype="V16")
        digests[:same] = map_array(self._before / folder.DIGESTS)[:same]
        rows = np.array(list(plan.rows.values()), dtype=np.int64)
        written = [documents[key] for key in plan.rows]
        if written:
            with WordSpool(self._path / SPOOL) as spool:
                for document in written:
                    spool.add(document)
                for places, found in embedded(spool, np.arange(len(written)), vectors):
                    writer.write(rows[places], found)
            digests[rows] = np.array([document.digest() for document in written], dtype="V16")
        writer.finish()
        np.save(self._path / folder.DIGESTS, digests)

    def _write_sentences(self, plan: RowPlan, before: Mapping[str, int], model: SentenceModel) -> int:
        """Keep the sentence vectors of documents that stay as they are, at another row, too."""
        rows = np.arange(plan.total)
        old, new = map_array(self._before / folder.DIGESTS), map_array(self._path / folder.DIGESTS)
        for key, row in plan.rows.items():
            was = before.get(key, -1)
            rows[row] = was if was >= 0 and old[was] == new[row] else -1
        return write_vectors(self._path, model.dimensions, open_vectors(self._before, self._manifest.documents), rows)
