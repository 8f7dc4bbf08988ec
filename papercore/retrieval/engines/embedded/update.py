"""Updates an index: the documents that changed are indexed, everything else is shared with the generation before."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from papercore.retrieval.basics.errors import EngineFailed, IndexDamaged
from papercore.retrieval.basics.request import Document
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.facets import FacetValueTable, GrowingValues, update_completions
from papercore.retrieval.engines.embedded.folder import link_file
from papercore.retrieval.engines.embedded.passages import PassageWriter
from papercore.retrieval.engines.embedded.vectors import VectorWriter, open_sentence_vectors, write_sentence_vectors
from papercore.retrieval.engines.embedded.word_index import WordUpdater
from papercore.retrieval.engines.embedded.words import engine_panics_translated
from papercore.retrieval.engines.generation import Manifest, is_made_with
from papercore.retrieval.vectors.arrays import map_array
from papercore.retrieval.vectors.document_vectors import GROWTH, SPOOL, UNCHANGED_SHARE, WordSpool, embedded
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.retrieval.vectors.word_vectors import WeightedWordVectors, WordVectors

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
    manifests = {found: folder.read_manifest(found) for found in folder.generations(path)}
    generations = {manifest.build_id: found for found, manifest in reversed(manifests.items()) if manifest}
    if build_id in generations:
        return True
    before = generations.get(build_before)
    manifest = manifests[before] if before else None
    if before is None or manifest is None or manifest.facets != tuple(facets) or not is_made_with(manifest, model):
        return False
    largest = manifest.documents + len(changed)
    if largest > GROWTH * manifest.fitted_on or len(changed) > (1 - UNCHANGED_SHARE) * largest:
        return False
    try:
        with folder.building(path, kept=before) as new, engine_panics_translated():
            update = _IndexUpdate(before, manifest, new, model)
            folder.write_manifest(new, update.run(changed, documents_of, build_id), before)
    except (EngineFailed, IndexDamaged, ValueError):
        # The engine's own errors are ValueErrors.
        return False
    return True


class _IndexUpdate:
    def __init__(self, before: Path, manifest: Manifest, path: Path, model: SentenceModel | None) -> None:
        folder.check_sizes(before, manifest.files)
        self._before = before
        self._manifest = manifest
        self._path = path
        self._model = model
        tables = ((name, FacetValueTable.open(before / folder.FACET_VALUES / name)) for name in manifest.facets)
        self._values = {name: GrowingValues(table) for name, table in tables}

    def run(self, changed: Collection[str], documents_of: DocumentsOf, build_id: str) -> Manifest:
        words = WordUpdater(self._before, self._path)
        documents = {document.id: document for document in documents_of(sorted(changed))}
        known = words.rows_of(changed)
        plan = plan_rows(self._manifest.documents, known, documents, words.id_at)
        moved = [key for key in plan.rows if key not in documents]
        before = {**known, **words.rows_of(moved)}
        documents |= {document.id: document for document in documents_of(moved)}
        frequency = self._write_words(words, plan, before, documents)
        self._write_vectors(plan, documents, frequency)
        with_sentences = self._write_sentences(plan, before, self._model) if self._model else 0
        return replace(self._manifest, build_id=build_id, documents=plan.total, with_sentences=with_sentences, files=())

    def _write_words(
        self, words: WordUpdater, plan: "RowPlan", known: Mapping[str, int], documents: Mapping[str, Document]
    ) -> Callable[[str], int]:
        """Replace what is found by words; return the number of documents with a term."""
        passages = PassageWriter.updating(self._before, self._path)
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
        for name, values in self._values.items():
            values.write(self._path / folder.FACET_VALUES / name)
        update_completions(self._before, self._path, self._values)
        return words.finish(plan.total)

    def _write_vectors(
        self, plan: "RowPlan", documents: Mapping[str, Document], frequency: Callable[[str], int]
    ) -> None:
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

    def _write_sentences(self, plan: "RowPlan", before: Mapping[str, int], model: SentenceModel) -> int:
        """Keep the sentence vectors of documents that stay as they are, at another row, too."""
        rows = np.arange(plan.total)
        old, new = map_array(self._before / folder.DIGESTS), map_array(self._path / folder.DIGESTS)
        for key, row in plan.rows.items():
            was = before.get(key, -1)
            rows[row] = was if was >= 0 and old[was] == new[row] else -1
        previous = open_sentence_vectors(self._before, self._manifest.documents)
        return write_sentence_vectors(self._path, model.dimensions, previous, rows)


class RowPlan(Struct, frozen=True):
    """Which rows documents have after an update: those that stay keep theirs, and no row is left empty.

    `rows`: of every document that is written, new, changed or moved; `moved`: from which row to which.
    """

    rows: dict[str, int]
    moved: dict[int, int]
    total: int


def plan_rows(before: int, known: Mapping[str, int], present: Collection[str], id_at: Callable[[int], str]) -> RowPlan:
    """Rows for the documents in `present`; of those in `known`, which have rows, the others go.

    Documents that go make room for new ones. If more go than come, the last documents move up.
    """
    free = sorted(row for key, row in known.items() if key not in present)
    new = [key for key in present if key not in known]
    total = before - len(free) + len(new)
    rows = {key: row for key, row in known.items() if key in present}
    rows |= dict(zip(new, [*free[: len(new)], *range(before, total)], strict=True))
    left = set(free[len(new) :])
    holes = iter(sorted(row for row in left if row < total))
    by_row = {row: key for key, row in rows.items()}
    moved: dict[int, int] = {}
    for row in range(total, before):
        if row not in left:
            moved[row] = next(holes)
            rows[by_row.get(row) or id_at(row)] = moved[row]
    return RowPlan(rows, moved, total)
