"""Ranks a project's requirements for a query, drops those below the threshold, and picks a snippet for each."""

import re

import numpy as np
from msgspec import Struct

from papercore.retrieval import ENOUGH, Evidence, Vector, verdict_at
from specs.reading.catalogue import Spec
from specs.reading.document import Requirement, excerpt
from specs.search.index import IndexedRequirement, SpecIndex
from specs.search.passages import SentenceEncoder
from specs.search.soft_match import CJK, SoftMatch, Word, WordCounts, WordEmbedder, match, words

# Below this share of the best score a result is noise.
SHARE_OF_BEST = 0.5
# All words of a query, but for rounding.
ALL_OF_IT = 0.999
SNIPPET_CHARS = 240
# Passages looked at for a snippet; few requirements have more, and the first say what it is about.
SNIPPET_PASSAGES = 40


class RequirementHit(Struct, frozen=True):
    spec: Spec
    requirement: Requirement
    score: float
    snippet: str


class Scores(Struct, frozen=True):
    """One value from 0 to 1 per requirement, and how likely one of them answers the query."""

    values: Vector
    confidence: float


def rank(
    index: SpecIndex,
    specs: dict[str, Spec],
    query: str,
    embedder: WordEmbedder,
    encoder: SentenceEncoder | None,
    limit: int,
) -> list[RequirementHit]:
    """The best requirements that still exist, best first, each at least half as good as the best.

    A score is how likely the query is answered, times the share of the best requirement's value.
    """
    asked = query_words(query, index.counts)
    if not asked or not index.entries:
        return []
    found = match(index.counts, embedder, asked)
    scores = score(index, found, query, encoder)
    if verdict_at(scores.confidence) == "nothing":
        return []
    values = scores.values
    scale = scores.confidence / float(values.max())
    # Twice as many as asked for, because some may have been deleted since the index was built.
    count = min(2 * limit, len(values))
    top = np.argpartition(-values, count - 1)[:count]
    kept = top[values[top] >= SHARE_OF_BEST * values.max()]
    hits: list[RequirementHit] = []
    for row in kept[np.lexsort((kept, -values[kept]))]:
        entry = index.entries[row]
        spec = specs.get(entry.spec)
        requirement = _current_requirement(entry, spec) if spec else None
        if spec and requirement and len(hits) < limit:
            snippet = _snippet(requirement, found, index.counts)
            hits.append(RequirementHit(spec, requirement, round(scale * float(values[row]), 4), snippet))
    return hits


def query_words(query: str, counts: WordCounts) -> list[Word]:
    """The words of a query; an identifier that occurs in the specs is searched as a whole only."""
    found = words(query)
    # CJK is written without blanks, so a whole question would look like one identifier.
    is_identifier = len(query.split()) == 1 and not CJK.search(query)
    if is_identifier and len(found) > 1 and found[-1].stem in counts.number:
        return [Word(found[-1].stem, surface="")]
    return found


def score(index: SpecIndex, found: SoftMatch, query: str, encoder: SentenceEncoder | None) -> Scores:
    """By words and a sentence model in equal parts; by words alone for what the model does not know, or without one."""
    # What a requirement does not have word for word, it may say in other words.
    shares = found.shares + found.scores * (1 - found.shares)
    evidence = Evidence.of(found.frequencies, index.counts.size, shares, float(found.scores.max(initial=0.0)))
    values, confidence = found.scores, evidence.confidence
    if encoder and index.sentence_model == encoder.model_id and _reads(encoder, query):
        related = encoder.relatedness(index.passages.nearness(encoder.encode([query])[0]))
        values = np.asarray((found.scores + related) / 2, dtype=np.float32)
        confidence = evidence.with_model(np.sort(related)[::-1], len(related))
    if found.shares.max(initial=0.0) >= ALL_OF_IT:
        confidence = max(confidence, ENOUGH)
    return Scores(values, confidence)


def _reads(encoder: SentenceEncoder, query: str) -> bool:
    """Whether the model understands the query: an English one knows no CJK, and none knows identifiers."""
    return encoder.reads(query) and (CJK.search(query) is not None or len(query.split()) > 1)


def _current_requirement(entry: IndexedRequirement, spec: Spec) -> Requirement | None:
    """The requirement as it is now, where it was or elsewhere in its spec."""
    items = spec.document.in_force
    if entry.position < len(items) and items[entry.position].name == entry.name:
        return items[entry.position]
    return next((item for item in items if item.name == entry.name), None)


def _snippet(requirement: Requirement, found: SoftMatch, counts: WordCounts) -> str:
    """The sentence or step that comes closest to the query; the first if none comes close."""
    passages = [*re.split(r"(?<=[.!?。])\s+|\n\s*\n", requirement.text)]
    passages += [clause.text for scenario in requirement.scenarios for clause in scenario.clauses]
    passages = [passage for passage in passages if passage.strip()][:SNIPPET_PASSAGES] or [requirement.name]
    numbers = [[counts.number[word.stem] for word in words(text) if word.stem in counts.number] for text in passages]
    with_words = [place for place, known in enumerate(numbers) if known]
    closest = passages[0]
    if with_words and len(found.weights):
        starts = np.cumsum([0, *(len(numbers[place]) for place in with_words[:-1])])
        columns = [number for known in numbers for number in known]
        nearest = np.maximum.reduceat(found.closeness[:, columns], starts, axis=1)
        closest = passages[with_words[int(np.argmax(found.weights @ nearest))]]
    return excerpt(closest, SNIPPET_CHARS)
