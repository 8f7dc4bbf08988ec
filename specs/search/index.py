"""The search index of a project: what it holds, how it is built reusing what has not changed, and its file."""

import io
import json
import logging
import os
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any  # arrays of whatever type the file holds

import numpy as np
from django.conf import settings
from msgspec import Struct
from numpy.typing import NDArray

from papercore.retrieval import read_array
from specs.reading.catalogue import Spec
from specs.reading.document import Requirement
from specs.reading.files import Project, Stamp, read_stamp
from specs.search.passages import NO_PASSAGES, Passages, ProgressCallback, SentenceEncoder, embed
from specs.search.soft_match import WordCounts, WordEmbedder, words

logger = logging.getLogger(__name__)

# Increased when the format changes; an index of another version counts as not built.
VERSION = 2
_DIGEST_BYTES = sha256().digest_size
# The beginning of a purpose says what the spec is about; a long one would outweigh the requirement.
INDEXED_PURPOSE_CHARS = 600


class IndexedRequirement(Struct, frozen=True):
    """`spec` is the spec's local id, `position` the requirement's among those in force, from 0."""

    spec: str
    position: int
    name: str
    digest: str


class SpecIndex(Struct, frozen=True):
    """`specs` maps each spec's local id to the digest of its file; without a sentence model there are no passages."""

    model_id: str
    sentence_model: str
    specs: dict[str, str]
    entries: tuple[IndexedRequirement, ...]
    surfaces: tuple[str, ...]
    counts: WordCounts
    passages: Passages


class IndexReport(Struct, frozen=True):
    """How many requirements were indexed, how many of them taken over, and how many are gone."""

    requirements: int
    reused: int
    removed: int


def build(
    specs: Iterable[Spec],
    embedder: WordEmbedder,
    encoder: SentenceEncoder | None,
    former: SpecIndex | None,
    progress: ProgressCallback,
) -> tuple[SpecIndex, IndexReport]:
    """Index the requirements in force; those whose digest is in the former index are taken over from it."""
    listed = list(specs)
    items = [(spec, position, item) for spec in listed for position, item in enumerate(spec.document.in_force)]
    known = _former_counts(former)
    surfaces = dict(zip(former.counts.stems, former.surfaces, strict=True)) if former else {}
    entries, rows = [], []
    for done, (spec, position, item) in enumerate(items, start=1):
        parts = weighted_texts(spec, item)
        text = "\0".join(part for part, _ in parts)
        digest = sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
        entries.append(IndexedRequirement(spec.local_id, position, item.name, digest))
        rows.append(known.get(digest) or _weighted_counts(parts, surfaces))
        progress(done, len(items))
    counts = _sorted_by_word(rows, surfaces, embedder)
    passages = NO_PASSAGES
    if encoder:
        kept = former.passages if former and former.sentence_model == encoder.model_id else NO_PASSAGES
        passages = embed([item for _, _, item in items], encoder, kept, progress)
    index = SpecIndex(
        model_id=embedder.vectors.model_id,
        sentence_model=encoder.model_id if encoder else "",
        specs={spec.local_id: spec.digest for spec in listed},
        entries=tuple(entries),
        surfaces=tuple(surfaces[stem] for stem in counts.stems),
        counts=counts,
        passages=passages,
    )
    digests = {entry.digest for entry in entries}
    reused = sum(entry.digest in known for entry in entries)
    return index, IndexReport(len(items), reused, len(known.keys() - digests))


def weighted_texts(spec: Spec, item: Requirement) -> list[tuple[str, float]]:
    """The texts that say what a requirement is about, each with its weight."""
    document = spec.document
    scenarios = [(scenario.name, 1.0) for scenario in item.scenarios]
    bodies = [(scenario.body, 0.5) for scenario in item.scenarios]
    about = [(text, 0.5) for text in (spec.local_id, document.title, document.purpose[:INDEXED_PURPOSE_CHARS])]
    return [(item.name, 2.0), (item.text, 1.5), *scenarios, *bodies, *about]


def _weighted_counts(parts: list[tuple[str, float]], surfaces: dict[str, str]) -> dict[str, float]:
    """The weighted count of each stem; `surfaces` gets the first spelling of those it lacks."""
    counts: Counter[str] = Counter()
    for text, weight in parts:
        for word in words(text):
            counts[word.stem] += weight  # type: ignore[assignment]  # a Counter of halves
            surfaces.setdefault(word.stem, word.surface)
    return dict(counts)


def _former_counts(former: SpecIndex | None) -> dict[str, dict[str, float]]:
    """The word counts of the former index, by the digest of their requirement."""
    if former is None:
        return {}
    rows: list[dict[str, float]] = [{} for _ in former.entries]
    counts = former.counts
    for number, stem in enumerate(counts.stems):
        for entry in range(counts.starts[number], counts.starts[number + 1]):
            rows[counts.documents[entry]][stem] = float(counts.counts[entry])
    return {entry.digest: row for entry, row in zip(former.entries, rows, strict=True)}


def _sorted_by_word(rows: list[dict[str, float]], surfaces: dict[str, str], embedder: WordEmbedder) -> WordCounts:
    stems = tuple(sorted({stem for row in rows for stem in row}))
    number = {stem: index for index, stem in enumerate(stems)}
    numbers = np.array([number[stem] for row in rows for stem in row], dtype=np.int64)
    documents = np.repeat(np.arange(len(rows), dtype=np.int32), [len(row) for row in rows])
    values = np.array([value for row in rows for value in row.values()], dtype=np.float32)
    order = np.argsort(numbers, kind="stable")
    return WordCounts(
        stems=stems,
        vectors=embedder.embed([surfaces[stem] for stem in stems]),
        starts=np.searchsorted(numbers[order], np.arange(len(stems) + 1)),
        documents=documents[order],
        counts=values[order],
        size=len(rows),
    )


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
            file.write(sha256(content).digest() + content)
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
    if content[:_DIGEST_BYTES] != sha256(content[_DIGEST_BYTES:]).digest():
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
