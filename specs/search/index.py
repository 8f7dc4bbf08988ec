"""The search index of one project: what it holds, and how it is built from the specs, reusing what has not changed."""

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

import numpy as np
from msgspec import Struct

from specs.reading.catalogue import Spec
from specs.reading.document import Requirement
from specs.search.passages import NO_PASSAGES, Passages, ProgressCallback, SentenceEncoder, embed
from specs.search.soft_match import WordCounts, WordEmbedder, words

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
