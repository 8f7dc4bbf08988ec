"""The index folder: names of its files, and generations that are built aside and published atomically."""

import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, convert, to_builtins
from msgspec.structs import fields, replace

from papercore.processes.locks import try_lock
from papercore.retrieval.basics.errors import IndexBusy
from papercore.retrieval.engines.embedded.checksums import FileSum, sums_of

# Raise it whenever the meaning of the files changes: an older index is then built again, never misread.
VERSION = 6
LIST = "generations.json"
# The files of a generation.
MANIFEST = "manifest.json"
WORDS, FACET_VALUES, SUGGESTIONS, PASSAGES = "words", "values", "suggestions", "passages"
VECTORS, PROJECTION, SENTENCES = "vectors.npy", "projection.npy", "sentences.f16"
SKETCHES, DIRECTIONS = "sketches.npy", "directions.npy"
DIGESTS, ADDRESSES = "digests.npy", "addresses.npy"
_CHECKSUM = "sha256"
# The one in use and the one before it, which a slow reader may still be opening.
GENERATIONS_KEPT = 2
LOCK_POLL_SECONDS = 0.2


class Manifest(Struct, frozen=True):
    """Describes a generation: enough to decide whether it fits the code, the data and the model."""

    version: int
    build_id: str
    documents: int
    facets: tuple[str, ...]
    word_model: str
    # Empty: none was used.
    sentence_model: str
    # Documents from which the directions of the vectors were computed.
    fitted_on: int
    # Documents that have a vector of the sentence model; the others are filled in while the index is served.
    with_sentences: int = 0
    # Not part of what pages are cached by: the other values tell builds apart.
    files: tuple[FileSum, ...] = ()

    def write(self, folder: Path, known: Mapping[str, FileSum] | None = None) -> None:
        """Write it last, with the checksums of the files beside it, as far as they are not known, and of itself."""
        content = to_builtins(replace(self, files=sums_of(folder, known or {})))
        text = json.dumps({**content, _CHECKSUM: _checksum(content)})
        (folder / MANIFEST).write_text(text, encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "Manifest | None":
        """A generation's manifest; None if it is missing, damaged or of another version of the code."""
        try:
            data = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if not isinstance(data, dict) or data.get("version") != VERSION:
            return None
        if data.pop(_CHECKSUM, None) != _checksum(data) or set(data) != {item.name for item in fields(cls)}:
            return None
        return convert(data, cls)


def _checksum(content: dict[str, object]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def generations(folder: Path) -> list[Path]:
    """The finished generations, newest first."""
    try:
        names = json.loads((folder / LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    if not isinstance(names, list):
        return []
    return [folder / name for name in names if isinstance(name, str) and Path(name).name == name]


@contextmanager
def building(folder: Path, kept: Path | None = None) -> Iterator[Path]:
    """A new generation's folder: published when the block succeeds, removed when it fails.

    Besides it, the generation `kept` stays; by default the newest so far.
    """
    with locked(folder):
        others = [kept] if kept else generations(folder)[: GENERATIONS_KEPT - 1]
        with new_generation(folder, others) as new:
            yield new


@contextmanager
def locked(folder: Path, patience: float = 0.0) -> Iterator[None]:
    """No other process changes the folder meanwhile. IndexBusy if one does, for longer than `patience` seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "build.lock").open("wb") as lock:
        until = time.monotonic() + patience
        while not try_lock(lock.fileno()):
            if time.monotonic() >= until:
                raise IndexBusy("The search index is being built by another process.")
            time.sleep(LOCK_POLL_SECONDS)
        yield


@contextmanager
def new_generation(folder: Path, others: list[Path]) -> Iterator[Path]:
    """A folder for whoever has locked this one: published beside the others when the block succeeds."""
    _remove_all_but(folder, generations(folder))
    new = Path(tempfile.mkdtemp(prefix="generation-", dir=folder))
    try:
        yield new
        _publish(folder, new, others)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _publish(folder: Path, new: Path, others: list[Path]) -> None:
    new.chmod(0o755)
    kept = [new, *others]
    aside = folder / f"{LIST}.new"
    with aside.open("w", encoding="utf-8") as file:
        json.dump([path.name for path in kept], file)
        file.flush()
        os.fsync(file.fileno())
    # tantivy keeps some of its files from other users; the site often is one, and may read what the umask allows.
    readable = stat.S_IMODE(aside.stat().st_mode)
    for path in new.rglob("*"):
        if path.is_file():
            path.chmod(readable)
    aside.replace(folder / LIST)
    _remove_all_but(folder, kept)


def _remove_all_but(folder: Path, kept: list[Path]) -> None:
    for path in folder.glob("generation-*"):
        if path not in kept:
            shutil.rmtree(path, ignore_errors=True)
