"""The index folder: generations that are built aside, published atomically, and checked against their checksums."""

import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import convert, to_builtins
from msgspec.structs import fields, replace

from papercore.processes.files import try_lock
from papercore.retrieval.basics.errors import IndexBusy, IndexDamaged
from papercore.retrieval.engines.generation import VERSION, FileSum, Manifest

LIST = "generations.json"
# The files of a generation.
MANIFEST = "manifest.json"
WORDS, FACET_VALUES, SUGGESTIONS, PASSAGES = "words", "values", "suggestions", "passages"
VECTORS, PROJECTION, SENTENCES = "vectors.npy", "projection.npy", "sentences.f16"
DIGESTS, ADDRESSES = "digests.npy", "addresses.npy"
# The word engine's locks mean nothing once an index is finished.
LOCK_SUFFIX = ".lock"
# The one in use and the one before it, which a slow reader may still be opening.
GENERATIONS_KEPT = 2
LOCK_POLL_SECONDS = 0.2
_CHECKSUM = "sha256"

# Tells whether a file was changed since it was verified: size, time and inode; None if it is missing.
FileStamp = tuple[int, int, int] | None


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


def link_files(source: Path, target: Path) -> None:
    """A finished word index under another name: a new generation shares its files, which the engine never changes."""
    target.mkdir()
    for file in source.iterdir():
        if file.suffix != LOCK_SUFFIX:
            link_file(file, target / file.name)


def link_file(source: Path, target: Path) -> None:
    """The same file under another name; a copy on a disk without such links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def write_manifest(generation: Path, manifest: Manifest, before: Path | None = None) -> None:
    """Write the manifest last, with the checksums of the files beside it and of itself.

    Files that are shared with the generation `before` are not read again.
    """
    shared: dict[str, FileSum] = {}
    manifest_before = read_manifest(before) if before else None
    if before and manifest_before:
        for file in manifest_before.files:
            stamp = _file_stamp(generation / file.name)
            if stamp and stamp == _file_stamp(before / file.name):
                shared[file.name] = file
    paths = [path for path in sorted(generation.rglob("*")) if path.is_file() and path.suffix != LOCK_SUFFIX]
    names = [path.relative_to(generation).as_posix() for path in paths]
    sums = [
        shared.get(name) or FileSum(name, path.stat().st_size, _sha256(path))
        for name, path in zip(names, paths, strict=True)
    ]
    content = to_builtins(replace(manifest, files=tuple(sums)))
    text = json.dumps({**content, _CHECKSUM: _checksum(content)})
    (generation / MANIFEST).write_text(text, encoding="utf-8")


def read_manifest(generation: Path) -> Manifest | None:
    """A generation's manifest; None if it is missing, damaged or of another version of the code."""
    try:
        data = json.loads((generation / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(data, dict) or data.get("version") != VERSION:
        return None
    if data.pop(_CHECKSUM, None) != _checksum(data) or set(data) != {item.name for item in fields(Manifest)}:
        return None
    return convert(data, Manifest)


def _checksum(content: dict[str, object]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def file_stamps(generation: Path, names: Iterable[str]) -> tuple[FileStamp, ...]:
    return tuple(_file_stamp(generation / name) for name in names)


def check_sizes(generation: Path, files: Iterable[FileSum]) -> None:
    """IndexDamaged if a file is missing or was cut: reading beyond the end of a mapped file would end the process."""
    for file in files:
        stamp = _file_stamp(generation / file.name)
        if stamp is None or stamp[0] != file.size:
            raise IndexDamaged(file.name)


def verify(generation: Path, files: Iterable[FileSum]) -> None:
    """IndexDamaged if a file has another content than it was built with."""
    for file in files:
        try:
            found = _sha256(generation / file.name)
        except OSError as error:
            raise IndexDamaged(file.name) from error
        if found != file.sha256:
            raise IndexDamaged(file.name)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _file_stamp(path: Path) -> FileStamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns, status.st_ino)
