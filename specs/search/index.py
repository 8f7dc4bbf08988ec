"""The search index of one project: what it holds, and how it is made from the specs, reusing what has not changed."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from specs.reading.catalogue import Spec
from specs.reading.document import Requirement
from specs.search.passages import NO_PASSAGES, Passages, Progress, SentenceEncoder, embed
from specs.search.soft_match import Counts, WordSpace
from specs.search.words import words

# A purpose says what the whole spec is about; its beginning says it best.
PURPOSE_CHARS = 600


@dataclass(frozen=True, slots=True)
class Entry:
    """One indexed requirement: `place` counts the requirements of its spec."""

    spec: str
    place: int
    name: str
    digest: str


@dataclass(frozen=True)
class SpecIndex:
    """`specs` maps each spec's local id to the digest of its file; `passages` are none without a model."""

    model_id: str
    sentence_model: str
    specs: dict[str, str]
    entries: tuple[Entry, ...]
    surfaces: tuple[str, ...]
    counts: Counts
    passages: Passages


@dataclass(frozen=True, slots=True)
class BuildReport:
    requirements: int
    reused: int
    removed: int


@dataclass(frozen=True, slots=True)
class _Item:
    entry: Entry
    spec: Spec
    requirement: Requirement

    def parts(self) -> list[tuple[str, float]]:
        """The texts that tell what the requirement is about, each with its weight."""
        item, document = self.requirement, self.spec.document
        scenarios = [(scenario.name, 1.0) for scenario in item.scenarios]
        bodies = [(scenario.body, 0.5) for scenario in item.scenarios]
        about = [(text, 0.5) for text in (self.spec.local_id, document.title, document.purpose[:PURPOSE_CHARS])]
        return [(item.name, 2.0), (item.text, 1.5), *scenarios, *bodies, *about]


def build(
    specs: Iterable[Spec],
    space: WordSpace,
    encoder: SentenceEncoder | None,
    former: SpecIndex | None,
    progress: Progress,
) -> tuple[SpecIndex, BuildReport]:
    """Index the requirements in force; those whose digest the former index has are taken over from it."""
    listed = list(specs)
    items = [item for spec in listed for item in _items(spec)]
    known = _former_counts(former)
    surfaces = dict(zip(former.counts.stems, former.surfaces, strict=True)) if former else {}
    rows = []
    for done, item in enumerate(items, start=1):
        rows.append(known.get(item.entry.digest) or _count(item, surfaces))
        progress(done, len(items))
    counts = _collect(rows, surfaces, space)
    index = SpecIndex(
        model_id=space.vectors.model_id,
        sentence_model=encoder.model_id if encoder else "",
        specs={spec.local_id: spec.digest for spec in listed},
        entries=tuple(item.entry for item in items),
        surfaces=tuple(surfaces[stem] for stem in counts.stems),
        counts=counts,
        passages=_passages(items, encoder, former, progress),
    )
    digests = {item.entry.digest for item in items}
    reused = sum(item.entry.digest in known for item in items)
    return index, BuildReport(len(items), reused, len(known.keys() - digests))


def _items(spec: Spec) -> list[_Item]:
    return [
        _Item(Entry(spec.local_id, place, item.name, _digest(spec, item)), spec, item)
        for place, item in enumerate(spec.document.in_force)
    ]


def _digest(spec: Spec, requirement: Requirement) -> str:
    item = _Item(Entry("", 0, "", ""), spec, requirement)
    text = "\0".join(part for part, _ in item.parts())
    return sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()


def _count(item: _Item, surfaces: dict[str, str]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for text, weight in item.parts():
        for word in words(text):
            counts[word.stem] += weight  # type: ignore[assignment]  # a Counter of halves
            surfaces.setdefault(word.stem, word.surface)
    return dict(counts)


def _former_counts(former: SpecIndex | None) -> dict[str, dict[str, float]]:
    """What the former index counted, by digest."""
    if former is None:
        return {}
    rows: list[dict[str, float]] = [{} for _ in former.entries]
    counts = former.counts
    for number, stem in enumerate(counts.stems):
        for entry in range(counts.starts[number], counts.starts[number + 1]):
            rows[counts.documents[entry]][stem] = float(counts.counts[entry])
    return {entry.digest: row for entry, row in zip(former.entries, rows, strict=True)}


def _collect(rows: list[dict[str, float]], surfaces: dict[str, str], space: WordSpace) -> Counts:
    stems = tuple(sorted({stem for row in rows for stem in row}))
    number = {stem: index for index, stem in enumerate(stems)}
    words_ = np.array([number[stem] for row in rows for stem in row], dtype=np.int64)
    documents = np.repeat(np.arange(len(rows), dtype=np.int32), [len(row) for row in rows])
    values = np.array([value for row in rows for value in row.values()], dtype=np.float32)
    order = np.argsort(words_, kind="stable")
    return Counts(
        stems=stems,
        vectors=space.embed([surfaces[stem] for stem in stems]),
        starts=np.searchsorted(words_[order], np.arange(len(stems) + 1)),
        documents=documents[order],
        counts=values[order],
        size=len(rows),
    )


def _passages(
    items: list[_Item], encoder: SentenceEncoder | None, former: SpecIndex | None, progress: Progress
) -> Passages:
    if encoder is None:
        return NO_PASSAGES
    kept = former.passages if former and former.sentence_model == encoder.model_id else NO_PASSAGES
    return embed([item.requirement for item in items], encoder, kept, progress)
