"""Ranks a project's requirements for a query, drops what is below the threshold, and picks a passage to show."""

import math
import re
from dataclasses import dataclass

import numpy as np

from papercore.retrieval.wordvectors import Vector
from specs.present import shorten
from specs.reading.catalogue import Spec
from specs.reading.document import Requirement
from specs.search.index import Entry, SpecIndex
from specs.search.model import word_space
from specs.search.passages import SentenceEncoder
from specs.search.soft_match import Counts, Match, match
from specs.search.words import CJK, Word, words

# Below this share of the best score a result is noise.
SHARE_OF_BEST = 0.5
# A query whose words the specs do not use is off topic: the larger their vocabulary, the more of the query
# it holds by chance. Measured at about these two sizes; a handful of specs must not be asked for more than this.
KNOWN_LEAST = 0.15
KNOWN_SMALL, SMALL = 0.35, 2_000
KNOWN_LARGE, LARGE = 0.7, 9_000
# With a sentence model, a query to which no requirement comes nearer than this cosine is off topic.
COSINE = 0.28
SNIPPET_CHARS = 240
# A requirement with more passages is rare, and its first ones say what it is about.
PASSAGES = 40


@dataclass(frozen=True, slots=True)
class Hit:
    spec: Spec
    requirement: Requirement
    score: float
    snippet: str


@dataclass(frozen=True, slots=True)
class Scored:
    """One value from 0 to 1 per requirement, and whether the query is about something else altogether."""

    values: Vector
    off_topic: bool


def rank(
    index: SpecIndex, specs: dict[str, Spec], query: str, encoder: SentenceEncoder | None, limit: int
) -> list[Hit]:
    """The best requirements that still exist, best first, each at least half as good as the best."""
    found = match(index.counts, word_space(), query_words(query, index.counts))
    scored = score(index, found, query, encoder)
    hits: list[Hit] = []
    for row in [] if scored.off_topic else _best_rows(scored.values, limit):
        item = _still_there(index.entries[row], specs)
        if item and len(hits) < limit:
            spec, requirement = item
            snippet = _snippet(requirement, found, index.counts)
            hits.append(Hit(spec, requirement, round(float(scored.values[row]), 4), snippet))
    return hits


def query_words(query: str, counts: Counts) -> list[Word]:
    """The words of a query; an identifier that the specs know is looked for as it is, whole."""
    found = words(query)
    # CJK is written without blanks, so that a whole question looks like one identifier.
    one_name = len(query.split()) == 1 and not CJK.search(query)
    if one_name and len(found) > 1 and found[-1].stem in counts.number:
        return [Word(found[-1].stem, surface="")]
    return found


def score(index: SpecIndex, found: Match, query: str, encoder: SentenceEncoder | None) -> Scored:
    """By words and a sentence model in equal parts; by words for identifiers and CJK, and without a model."""
    by_words = CJK.search(query) or len(query.split()) == 1
    if encoder is None or index.sentence_model != encoder.model_id or by_words or not index.entries:
        return Scored(found.scores, off_topic=found.known < _known_needed(len(index.counts.stems)))
    near = np.maximum(index.passages.nearness(encoder.encode([query])[0]), 0)
    values = np.asarray((found.scores + near) / 2, dtype=np.float32)
    return Scored(values, off_topic=float(near.max()) < COSINE)


def _known_needed(vocabulary: int) -> float:
    share = math.log(max(vocabulary, 1) / SMALL) / math.log(LARGE / SMALL)
    return min(KNOWN_LARGE, max(KNOWN_LEAST, KNOWN_SMALL + (KNOWN_LARGE - KNOWN_SMALL) * share))


def _best_rows(scores: Vector, limit: int) -> list[int]:
    # Twice as many as asked for, because some may have left the folder since the index was built.
    count = min(2 * limit, len(scores))
    top = np.argpartition(-scores, count - 1)[:count]
    kept = top[scores[top] >= SHARE_OF_BEST * scores.max()]
    return [int(row) for row in kept[np.lexsort((kept, -scores[kept]))]]


def _still_there(entry: Entry, specs: dict[str, Spec]) -> tuple[Spec, Requirement] | None:
    spec = specs.get(entry.spec)
    if spec is None:
        return None
    items = spec.document.in_force
    if entry.place < len(items) and items[entry.place].name == entry.name:
        return spec, items[entry.place]
    return next(((spec, item) for item in items if item.name == entry.name), None)


def _snippet(requirement: Requirement, found: Match, counts: Counts) -> str:
    """The passage closest to the query: of the text, or of a scenario's steps."""
    passages = [*re.split(r"(?<=[.!?。])\s+|\n\s*\n", requirement.text)]
    passages += [clause.text for scenario in requirement.scenarios for clause in scenario.clauses]
    passages = [passage for passage in passages if passage.strip()][:PASSAGES] or [requirement.name]
    return shorten(_closest(passages, found, counts), SNIPPET_CHARS)


def _closest(passages: list[str], found: Match, counts: Counts) -> str:
    """The passage whose words come closest to the query's; the first where none comes close."""
    numbers = [[counts.number[word.stem] for word in words(text) if word.stem in counts.number] for text in passages]
    told = [place for place, known in enumerate(numbers) if known]
    if not told or not len(found.weights):
        return passages[0]
    starts = np.cumsum([0, *(len(numbers[place]) for place in told[:-1])])
    columns = [number for known in numbers for number in known]
    nearest = np.maximum.reduceat(found.closeness[:, columns], starts, axis=1)
    return passages[told[int(np.argmax(found.weights @ nearest))]]
