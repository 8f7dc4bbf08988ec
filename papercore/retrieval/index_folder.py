"""A folder in which indexes are built: opens the one that fits the data, and leaves one that is damaged."""

import logging
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate
from pathlib import Path

from papercore.errors import ToolError
from papercore.retrieval.basics.errors import EngineFailed, IndexDamaged
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.folder import FileStamp
from papercore.retrieval.engines.embedded.passages import TantivyPassages
from papercore.retrieval.engines.embedded.vectors import DocumentVectors, HalfPrecisionVectors, open_sentence_vectors
from papercore.retrieval.engines.embedded.words import TantivyWords, engine_panics_translated
from papercore.retrieval.engines.generation import FileSum, Generation, Manifest, has_meaning, is_made_with
from papercore.retrieval.index import Index
from papercore.retrieval.vectors.arrays import map_array
from papercore.retrieval.vectors.meaning import Meaning
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.retrieval.vectors.word_vectors import WeightedWordVectors, WordVectors

logger = logging.getLogger(__name__)

# Verified before an index is used, the smallest files first (about 40 ms); the rest in the background, once it is used.
VERIFIED_AT_OPENING = 32_000_000
# How often queries look whether files were changed in place.
SECONDS_BETWEEN_LOOKS = 1.0


class IndexFolder:
    """The indexes of a folder, open. Threads may share it."""

    def __init__(self, path: Path, model: SentenceModel | None = None) -> None:
        self.path = path
        self.model = model
        self._lock = threading.Lock()
        self._published: tuple[int, int] | None = None
        self._looked_at = 0.0
        # By the folders of the generations.
        self._manifests: dict[Path, Manifest] = {}
        self._stamps: dict[Path, tuple[FileStamp, ...]] = {}
        # By build id.
        self._open: dict[str, Index] = {}
        self._problems: dict[str, str] = {}
        self._verifying: set[Path] = set()

    def open(self, build_id: str) -> Index | None:
        """The index built from this data, if there is one that is intact. Notices new and changed files."""
        published = self._read_published()
        look = time.monotonic() - self._looked_at >= SECONDS_BETWEEN_LOOKS
        if published != self._published or (look and self._files_changed()):
            self._read_again(published)
        return self._open.get(build_id)

    def problem(self, build_id: str) -> str:
        """What is wrong with the index of this data, as its files are now; empty if nothing is known to be wrong."""
        if self._published is None or self._files_changed():
            self._read_again(self._read_published())
        return self._problems.get(build_id, "")

    def failing(self, build_id: str) -> bool:
        """Whether the index of this data was found unusable."""
        return build_id in self._problems

    def verify(self, build_id: str) -> None:
        """Compare every file of the index of this data with its checksum; a damaged one is no longer used."""
        index = self.open(build_id)
        for path, manifest in self._manifests.copy().items():
            if index and manifest == index.manifest:
                self._verify(path, manifest, manifest.files)

    def verified(self, build_id: str) -> bool:
        """False while files of this index are still being compared with their folder."""
        index = self._open.get(build_id)
        return index is None or not any(self._manifests.get(path) == index.manifest for path in self._verifying)

    @contextmanager
    def failures_of(self, index: Index) -> Iterator[None]:
        """Turn whatever a damaged index makes the code raise into EngineFailed, and look into it."""
        try:
            with engine_panics_translated():
                yield
        except Exception as error:
            if isinstance(error, ToolError) and not isinstance(error, EngineFailed):
                raise
            logger.exception("A query failed in the search index; the snapshot's tables answer it.")
            # It is left if its files are damaged. Otherwise the query was at fault, and others are answered.
            for path, manifest in self._manifests.copy().items():
                if manifest == index.manifest and path not in self._verifying:
                    small, large = _by_size(manifest.files)
                    self._verify(path, manifest, small)
                    self._verify_aside(path, manifest, large)
            raise EngineFailed("The search index cannot answer this query.") from error

    def _read_published(self) -> tuple[int, int]:
        """Changes whenever a generation is published. Cheap enough to be asked at every query."""
        try:
            # Joined as text: building a Path would cost as much as the call.
            status = os.stat(f"{self.path}/{folder.LIST}")  # noqa: PTH116
        except OSError:
            return (0, 0)
        return (status.st_ino, status.st_mtime_ns)

    def _files_changed(self) -> bool:
        self._looked_at = time.monotonic()
        return any(_stamps(path, self._manifests.get(path)) != stamps for path, stamps in self._stamps.copy().items())

    def _read_again(self, published: tuple[int, int]) -> None:
        """Open the newest intact generation of each build, unless another thread has done so."""
        with self._lock:
            if published == self._published and not self._files_changed():
                return
            paths = folder.generations(self.path)
            manifests = {path: manifest for path in paths if (manifest := folder.read_manifest(path))}
            self._stamps = {path: _stamps(path, manifests.get(path)) for path in paths}
            self._manifests = manifests
            self._problems = {}
            opened: dict[str, Index] = {}
            for path in paths:
                manifest = manifests.get(path)
                if manifest is None:
                    logger.warning("The search index %s is of another version, or its manifest is damaged.", path.name)
                elif manifest.build_id not in opened and (index := self._open_intact(path, manifest)):
                    opened[manifest.build_id] = index
                    self._problems.pop(manifest.build_id, None)
            self._open = opened
            for path, manifest in manifests.items():
                if opened.get(manifest.build_id) and opened[manifest.build_id].manifest == manifest:
                    self._verify_aside(path, manifest, _by_size(manifest.files)[1])
            self._published = published

    def _open_intact(self, path: Path, manifest: Manifest) -> Index | None:
        try:
            folder.check_sizes(path, manifest.files)
            folder.verify(path, _by_size(manifest.files)[0])
            return Index(open_generation(path, manifest, self.model))
        except IndexDamaged as error:
            self._leave(manifest, error)
        except (OSError, ValueError, EOFError) as error:
            # Removed by a newer build while it was being opened, or there is no folder for temporary files.
            logger.warning("The search index %s cannot be opened.", path.name, exc_info=True)
            self._problems[manifest.build_id] = f"it cannot be opened ({type(error).__name__})"
        return None

    def _verify_aside(self, path: Path, manifest: Manifest, files: Sequence[FileSum]) -> None:
        if files:
            self._verifying.add(path)
            threading.Thread(target=partial(self._verify, path, manifest, files), daemon=True).start()

    def _verify(self, path: Path, manifest: Manifest, files: Sequence[FileSum]) -> None:
        try:
            folder.verify(path, files)
        except IndexDamaged as error:
            # A newer build removes the files of the one before the last.
            if path.exists():
                self._leave(manifest, error)
        finally:
            self._verifying.discard(path)

    def _leave(self, manifest: Manifest, error: IndexDamaged) -> None:
        logger.error("The search index is damaged and no longer used: %s. Build it again.", error.message)
        self._problems[manifest.build_id] = f"its file {error.message} is damaged"
        self._open = {key: index for key, index in self._open.items() if index.manifest != manifest}


def open_generation(path: Path, manifest: Manifest, model: SentenceModel | None) -> Generation:
    """The generation in this folder. With another sentence model than it was built with, it answers without one."""
    words, passages = TantivyWords(path, manifest), TantivyPassages(path)
    if not has_meaning(manifest):
        return Generation(manifest, words, passages)
    projection = map_array(path / folder.PROJECTION)
    word_vectors = WeightedWordVectors(WordVectors.load(), projection, words.frequency, manifest.documents)
    meaning = Meaning(word_vectors, DocumentVectors.open(path))
    if model is None or not is_made_with(manifest, model):
        return Generation(manifest, words, passages, meaning)
    sentences = HalfPrecisionVectors(open_sentence_vectors(path, manifest.documents))
    return Generation(manifest, words, passages, meaning, model, sentences)


def _by_size(files: Sequence[FileSum]) -> tuple[list[FileSum], list[FileSum]]:
    """The files to verify at once, and the others."""
    ascending = sorted(files, key=lambda file: file.size)
    small = sum(total <= VERIFIED_AT_OPENING for total in accumulate(file.size for file in ascending))
    return ascending[:small], ascending[small:]


def _stamps(path: Path, manifest: Manifest | None) -> tuple[FileStamp, ...]:
    return folder.file_stamps(path, [folder.MANIFEST, *(file.name for file in (manifest.files if manifest else ()))])
