"""The index on disk: one file per project in the site's data folder, replaced as a whole, cached until it changes."""

import io
import json
import os
import tempfile
import zipfile
from functools import lru_cache
from pathlib import Path

import numpy as np
from django.conf import settings

from specs.reading.files import Stamp, read_stamp
from specs.reading.projects import Project
from specs.search.index import IndexedRequirement, SpecIndex
from specs.search.passages import Passages
from specs.search.soft_match import WordCounts

# Increased when the format changes; an index of another version counts as not built.
VERSION = 2


def index_path(project: Project) -> Path:
    return Path(settings.DATA) / "spec-index" / f"{project.name}.npz"


def save(project: Project, index: SpecIndex) -> None:
    """Write a temporary file, then rename it: readers see the old index or the new one, never half of one."""
    path = index_path(project)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=f"{project.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(_pack(index))
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def load(project: Project) -> SpecIndex | None:
    """The index as it is on disk now; None if there is none, or none that this version can read."""
    path = index_path(project)
    stamp = read_stamp(path)
    return None if stamp is None else _load(path, stamp)


@lru_cache(maxsize=16)
def _load(path: Path, _stamp: Stamp) -> SpecIndex | None:
    try:
        # Opened here, because numpy does not close a damaged file.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return _unpack({name: arrays[name] for name in arrays.files})
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        return None  # damaged, or not of this version: it has to be built again


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


def _unpack(arrays: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]) -> SpecIndex | None:
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
