"""Fills in the sentence vectors of an index that is served already: newest documents first, published step by step."""

import shutil
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from papercore.processes.files import try_lock
from papercore.retrieval.basics.errors import IndexBusy
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.folder import link_file
from papercore.retrieval.engines.embedded.vectors import has_vector, open_sentence_vectors
from papercore.retrieval.engines.embedded.words import TantivyWords, engine_panics_translated
from papercore.retrieval.engines.generation import Manifest, is_made_with
from papercore.retrieval.engines.interface import HitSet, WordQuery
from papercore.retrieval.vectors.arrays import Vector, map_array
from papercore.retrieval.vectors.sentence_model import SentenceModel, text_of

# Documents after which the vectors so far are published; of a large index a hundredth, since each step copies all.
STEP, STEPS = 500, 100
# Documents that the model reads at once, after which progress is told.
BATCH = 32
# How long a build or an update may keep a step from being published.
PATIENCE_SECONDS = 900.0


def fill_sentence_vectors(path: Path, model: SentenceModel, step: int = STEP) -> Generator[int]:
    """Give every document of the newest index in the folder a sentence vector; yield for each how many had one before.

    After each step, of so many documents at least, the vectors are published as a generation that shares all other
    files with the one before: whoever is killed loses at most one step, and the next call goes on from there. An index
    that is built or updated meanwhile takes what was computed. IndexBusy if another process is filling this index.
    """
    path.mkdir(parents=True, exist_ok=True)
    with (path / "fill.lock").open("w") as lock, engine_panics_translated():
        if not try_lock(lock.fileno()):
            raise IndexBusy("The sentence vectors are being computed by another process.")
        while newest := _newest(path, model):
            generation, manifest = newest
            vectors: dict[bytes, Vector] = {}
            for found in _step(generation, manifest, model, step):
                yield from range(manifest.with_sentences + len(vectors), manifest.with_sentences + len(vectors | found))
                vectors |= found
            if not vectors:
                return
            _publish(path, model, vectors)


def missing_sentence_vectors(path: Path, model: SentenceModel) -> int:
    """How many documents of the newest index in the folder have no sentence vector."""
    newest = _newest(path, model)
    return newest[1].documents - newest[1].with_sentences if newest else 0


def _newest(path: Path, model: SentenceModel) -> tuple[Path, Manifest] | None:
    """The newest generation, if it lacks vectors of this model."""
    for generation in folder.generations(path)[:1]:
        manifest = folder.read_manifest(generation)
        if manifest and is_made_with(manifest, model) and manifest.with_sentences < manifest.documents:
            return generation, manifest
    return None


def _step(generation: Path, manifest: Manifest, model: SentenceModel, step: int) -> Iterator[dict[bytes, Vector]]:
    """The vectors of the newest documents that lack one, by digest, some at a time."""
    words, digests = TantivyWords(generation, manifest), map_array(generation / folder.DIGESTS)
    known = has_vector(open_sentence_vectors(generation, manifest.documents))
    newest_first, _ = words.sorted(HitSet(WordQuery(None)), "year", 0, manifest.documents)
    rows = newest_first[~known[newest_first]][: max(step, manifest.documents // STEPS)]
    for start in range(0, len(rows), BATCH):
        part = rows[start : start + BATCH]
        encoded = model.encode([text_of(document.title, document.text) for document in words.stored(part.tolist())])
        # A model that fails on a text must not be asked about it for ever.
        encoded = np.nan_to_num(encoded)
        yield {digests[row].tobytes(): vector for row, vector in zip(part, encoded, strict=True)}


def _publish(path: Path, model: SentenceModel, vectors: Mapping[bytes, Vector]) -> None:
    """Publish the newest generation again, with these vectors of its documents."""
    with folder.locked(path, PATIENCE_SECONDS):
        newest = _newest(path, model)
        if newest is None:
            return
        before, manifest = newest
        others = [(generation, folder.read_manifest(generation)) for generation in folder.generations(path)]
        of_other_builds = [generation for generation, other in others if other and other.build_id != manifest.build_id]
        # The generation before stays, which a slow reader may still be opening, and the newest of another build.
        with folder.new_generation(path, [before, *of_other_builds[:1]]) as new:
            for file in manifest.files:
                (new / file.name).parent.mkdir(parents=True, exist_ok=True)
                if file.name != folder.SENTENCES:
                    link_file(before / file.name, new / file.name)
            shutil.copyfile(before / folder.SENTENCES, new / folder.SENTENCES)
            file_of_vectors = np.memmap(new / folder.SENTENCES, dtype=np.float16, mode="r+")
            matrix = file_of_vectors.reshape(manifest.documents, -1)
            for row, digest in enumerate(map_array(new / folder.DIGESTS)):
                vector = vectors.get(digest.tobytes())
                if vector is not None:
                    matrix[row] = vector
            file_of_vectors.flush()
            filled = int(has_vector(matrix).sum())
            folder.write_manifest(new, replace(manifest, with_sentences=filled, files=()), before)
