"""The index on disk: one file per project in the site's data folder, replaced as a whole, cached until it changes.

The file is the SHA-256 of the rest, then the arrays as numpy.savez writes them.
"""

import hashlib
import io
import json
import logging
import os
import tempfile
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any  # arrays of whatever type the file holds

import numpy as np
from django.conf import settings
from msgspec import Struct
from numpy.typing import NDArray

from papercore.npy import read_array
from specs.reading.files import Stamp, read_stamp
from specs.reading.projects import Project
from specs.search.index import IndexedRequirement, SpecIndex
from specs.search.passages import Passages
from specs.search.soft_match import WordCounts

logger = logging.getLogger(__name__)

# Increased when the format changes; an index of another version counts as not built.
VERSION = 2
_DIGEST_BYTES = hashlib.sha256().digest_size


class StoredIndex(Struct, frozen=True):
    """What the file holds. Without an index, `problem` says why, as the end of a sentence about the index."""

    index: SpecIndex | None
    problem: str = ""


def index_path(project: Project) -> Path:
    return Path(settings.DATA) / "spec-index" / f"{project.name}.index"


def save(project: Project, index: SpecIndex) -> None:
    """Write a temporary file, then rename it: readers see the old index or the new one, never half of one."""
    path = index_path(project)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=f"{project.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            content = _pack(index)
            file.write(hashlib.sha256(content).digest() + content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def load(project: Project) -> SpecIndex | None:
    """The index as it is on disk now; None if there is none, or none that can be used."""
    return read(project).index


def read(project: Project) -> StoredIndex:
    """The index as it is on disk now, or what is wrong with it."""
    path = index_path(project)
    stamp = read_stamp(path)
    try:
        return _read(path, stamp) if stamp else StoredIndex(None, "is not built yet")
    except OSError as error:
        return StoredIndex(None, f"cannot be read ({error.strerror})")


@lru_cache(maxsize=16)
def _read(path: Path, _stamp: Stamp) -> StoredIndex:
    content = path.read_bytes()
    if content[:_DIGEST_BYTES] != hashlib.sha256(content[_DIGEST_BYTES:]).digest():
        logger.error("The search index of the specs of %s is damaged and not used. Build it again.", path.stem)
        return StoredIndex(None, "is damaged")
    with zipfile.ZipFile(io.BytesIO(content[_DIGEST_BYTES:])) as archive:
        arrays = {name.removesuffix(".npy"): read_array(io.BytesIO(archive.read(name))) for name in archive.namelist()}
    index = _unpack(arrays)
    return StoredIndex(index, "" if index else "is of another version")


def _pack(index: SpecIndex) -> bytes:
    meta = {
        "version": VERSION,
        "model_id": index.model_id,
        "sentence_model": index.sentence_model,
        "specs": index.specs,
        "entries": [[entry.spec, entry.position, entry.name, entry.digest] for entry in index.entries],
        "stems": index.counts.stems,
        "surfaces": index.surfaces,
    }
    buffer = io.BytesIO()
    np.savez(
        buffer,
        meta=np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8),
        vectors=index.counts.vectors.astype(np.float16),
        starts=index.counts.starts,
        documents=index.counts.documents,
        counts=index.counts.counts,
        passages=index.passages.columns.astype(np.float16),
        passage_starts=index.passages.starts,
        passage_digests=index.passages.digests,
    )
    return buffer.getvalue()


def _unpack(arrays: dict[str, NDArray[Any]]) -> SpecIndex | None:
    meta = json.loads(arrays["meta"].tobytes())
    if meta["version"] != VERSION:
        return None
    counts = WordCounts(
        stems=tuple(meta["stems"]),
        vectors=arrays["vectors"].astype(np.float32),
        starts=arrays["starts"].astype(np.int64),
        documents=arrays["documents"].astype(np.int32),
        counts=arrays["counts"].astype(np.float32),
        size=len(meta["entries"]),
    )
    return SpecIndex(
        model_id=meta["model_id"],
        sentence_model=meta["sentence_model"],
        specs=meta["specs"],
        entries=tuple(IndexedRequirement(*entry) for entry in meta["entries"]),
        surfaces=tuple(meta["surfaces"]),
        counts=counts,
        passages=Passages(
            arrays["passages"].astype(np.float32),
            arrays["passage_starts"].astype(np.int64),
            arrays["passage_digests"].astype(np.uint8),
        ),
    )
