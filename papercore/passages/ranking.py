"""Ranks the passages of papers that a search found: by words, else by meaning, and by the rank of their paper."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from papercore.retrieval import PassageReader, QueryTerms, Vector, WordVectors
from papercore.text import STOP_WORDS, bm25_scores, words_of

# Passages that are read and ranked, the best by their words; or by meaning where none has the words.
PASSAGES_RANKED = 60
# Chosen on one half of the claims that bench.quality.evidence reads; the quality is flat around them.
# How soon repeating a word stops counting. A passage's length does not count.
SATURATION = 1.2
# A word of the title or the headings counts this much of one in the passage.
CONTEXT = 0.6
PAPER_WEIGHT = 1.6
# A question is answered here if some passage has this share of its words, the rare ones counting more. Of two words,
# one may be the wrong one. Of a sentence no passage has as much, so that the share of so many words is enough.
COVERED, COVERED_WORDS, COVERED_ENOUGH = 0.36, 3, 5
# How rare a word is, is told among this many passages at least: those of one paper may all have its rarest word.
POOL = 20
# Where none has, those that are this near to the question count. Ranking by meaning, too, made the others no better and
# cost five times as much.
NEAR = 0.45
# With a sentence model, the best passages are read by it, and what it says counts as much as the words.
READ, READER_WEIGHT = 12, 1.0
# Where no passage has enough of the words, those count that it finds so related. For 31 of 36 questions in other
# languages over the demo some are, and for 3 of 49 that are off topic.
RELATED = 0.2
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")


class Candidate(Struct, frozen=True):
    """A passage to rank: its text, its title and headings, and how well its paper fits, from 0 to 1."""

    text: str
    context: str
    paper: float

    @property
    def in_context(self) -> str:
        return f"{self.context}. {self.text}"


class RankedPassage(Struct, frozen=True):
    candidate: int
    # From 0 to 1: how well its words, its paper and, where there is a model, its meaning fit the query.
    score: float
    # The share of the query's words that it has, the rare ones counting more; if found by meaning, how near it is.
    covered: float


def rank(query: str, candidates: Sequence[Candidate]) -> list[RankedPassage]:
    """The candidates that bear on the query, best first. None may: no evidence is an answer."""
    return rank_by_words(query, candidates) or rank_by_meaning(query, candidates)


def sought_in(query: str) -> QueryTerms:
    """The words of a query that passages are looked through for; the s of a possessive is none."""
    return QueryTerms.of_words(words_of(_POSSESSIVE.sub("", query)))


def rank_by_words(
    query: str, candidates: Sequence[Candidate], reader: PassageReader | None = None
) -> list[RankedPassage]:
    """Those with words of the query; none if no passage has enough of them. A reader orders the best ones."""
    sought = sought_in(query)
    scores, covered = _word_scores(sought, candidates)
    # Of a question in another language, passages have only the names, and meaning says more.
    across_languages = reader is not None and reader.model.for_other_languages
    least = COVERED if across_languages else COVERED * min(1.0, COVERED_ENOUGH / max(1, len(sought.terms)))
    if len(sought.terms) >= COVERED_WORDS and covered.max(initial=0) < least:
        return []
    found = _best_first(scores, covered, candidates)
    if reader is None:
        return found
    head, others = found[:READ], found[READ:]
    related = reader.relatedness([candidates[item.candidate].in_context for item in head])
    most = 1 + PAPER_WEIGHT + READER_WEIGHT
    said = [READER_WEIGHT * float(each) for each in related] + [0.0] * len(others)
    rated = [
        replace(item, score=(item.score * (1 + PAPER_WEIGHT) + each) / most)
        for item, each in zip(found, said, strict=True)
    ]
    return [*sorted(rated[:READ], key=lambda item: -item.score), *rated[READ:]]


def rank_by_meaning(
    query: str, candidates: Sequence[Candidate], reader: PassageReader | None = None
) -> list[RankedPassage]:
    """Those of the best papers that are near the query, whatever their words."""
    best = sorted(range(len(candidates)), key=lambda place: -candidates[place].paper)
    best = best[: READ if reader else PASSAGES_RANKED]
    texts = [candidates[place].in_context for place in best]
    nearness, least = (reader.relatedness(texts), RELATED) if reader else (_cosines(query, texts), NEAR)
    scores = np.zeros(len(candidates), dtype=np.float32)
    scores[best] = np.where(nearness >= least, nearness, 0)
    return _best_first(scores, scores, candidates)


def _best_first(scores: Vector, covered: Vector, candidates: Sequence[Candidate]) -> list[RankedPassage]:
    share = np.maximum(scores, 0) / (float(scores.max(initial=0.0)) or 1.0)
    papers = np.array([candidate.paper for candidate in candidates], dtype=np.float32)
    fit = (share + PAPER_WEIGHT * papers) / (1 + PAPER_WEIGHT)
    order = np.argsort(-fit, kind="stable")
    return [RankedPassage(int(place), float(fit[place]), float(covered[place])) for place in order if scores[place] > 0]


def _word_scores(sought: QueryTerms, candidates: Sequence[Candidate]) -> tuple[Vector, Vector]:
    """BM25 among the candidates, zero for a passage that has none of the words itself; and how much it covers."""
    inside = [Counter(mark.term for mark in sought.marks(candidate.text)) for candidate in candidates]
    around = [{mark.term for mark in sought.marks(context)} for context in (item.context for item in candidates)]
    frequency = Counter(term for own, above in zip(inside, around, strict=True) for term in {*own, *above})
    pool = max(len(candidates), POOL)
    rarity = {term: log(1 + pool / count) for term, count in frequency.items()}
    unknown = len(sought.terms - frequency.keys()) * log(1 + 2 * pool)
    all_words = (sum(rarity.values()) + unknown) or 1.0
    times = [
        {term: own[term] + CONTEXT * (term in above) for term in {*own, *above}}
        for own, above in zip(inside, around, strict=True)
    ]
    scores = bm25_scores(times, rarity, SATURATION, length_share=0)
    covered = [sum(rarity[term] for term in terms) / all_words for terms in times]
    return np.array(scores, dtype=np.float32), np.array(covered, dtype=np.float32)


def _cosines(query: str, texts: Sequence[str]) -> Vector:
    """How near the texts are to the query; words that many of them share count little."""
    worded = [[word for word in words_of(text) if word.lower() not in STOP_WORDS] for text in (query, *texts)]
    frequency = Counter(word for words in worded for word in set(words))
    distinct = list(frequency)
    if not distinct or not worded[0]:
        return np.zeros(len(texts), dtype=np.float32)
    weights = np.array([log(1 + len(worded) / frequency[word]) for word in distinct], dtype=np.float32)
    table = WordVectors.load().words(distinct) * weights[:, None]
    row = {word: place for place, word in enumerate(distinct)}
    sums = np.array([table[[row[word] for word in words]].sum(axis=0) if words else table[0] * 0 for words in worded])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    unit = sums / np.where(lengths > 0, lengths, 1)
    return np.asarray(unit[1:] @ unit[0], dtype=np.float32)
