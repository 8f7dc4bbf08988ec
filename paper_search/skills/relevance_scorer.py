"""How relevant each paper is, with a reason that a person can read."""

import asyncio
import math
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from paper_search.domains import Domain
from paper_search.filters import WANTED, is_about, is_by, tags
from paper_search.models import IntentType, ParsedIntent, RawPaper, ScoredPaper
from paper_search.text import CandidateText, content_words, match_scores, stems

# The text decides; the other weights order papers that match equally well.
TEXT_WEIGHT, RECENCY_WEIGHT, CITATION_WEIGHT, KIND_WEIGHT = 0.92, 0.03, 0.03, 0.02
# Where a kind of paper is asked for, this share is left of the score of one of another kind.
OTHER_KIND_SHARE = 0.6
# Each word of papers marked irrelevant takes this share of the score, down to half of it.
LESS_LIKE_SHARE, LEAST_SHARE = 0.15, 0.5
# A paper of this age counts half as recent as a new one.
HALF_LIFE_YEARS = 8
# Cited this often, a paper gets all the credit that citations can give.
MANY_CITATIONS = 1_000
# Of a paper that citations led to, what its links count beside its text. One with many may say the same in other words.
LINKS_WEIGHT = 0.5
# If the first papers hold none of the question's words, nothing relevant was found: this share of each score is left.
COVERAGE_PAPERS, UNCOVERED_SHARE = 5, 0.4


_WORD = re.compile(r"\w+")
# What may stand between the words of a phrase.
_WITHIN_PHRASES = {" ", "-", "\u2010"}


class WrittenText:
    """A text with the stems of each of its words, read once: every concept is looked for in it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans = [match.span() for match in _WORD.finditer(text)]
        self._stems = [stems(text[start:end]) for start, end in self._spans]

    def quote(self, sought: Sequence[Sequence[str]]) -> str:
        """Words with these stems side by side, as the text writes them; each may have another ending."""
        for first in range(len(self._stems) - len(sought) + 1 if sought else 0):
            spans = self._spans[first : first + len(sought)]
            gaps = {self._text[end:start] for (_, end), (start, _) in pairwise(spans)}
            if gaps <= _WITHIN_PHRASES and self._stems[first : first + len(sought)] == sought:
                return self._text[spans[0][0] : spans[-1][1]]
        return ""


class RuleRelevanceScorer:
    """Takes the text match that a source gave a paper; computes it for the others."""

    def __init__(self, domain: Domain, this_year: int | None = None) -> None:
        self.domain = domain
        self.this_year = this_year or datetime.now(UTC).year

    async def score(self, papers: list[RawPaper], intent: ParsedIntent) -> list[ScoredPaper]:
        def in_thread() -> list[ScoredPaper]:
            matches = _with_links(papers, _text_matches(papers, intent))
            read = [set(stems(f"{paper.title} {paper.abstract or paper.snippet or ''}")) for paper in papers]
            scored = [self._score(*given, intent) for given in zip(papers, matches, read, strict=True)]
            return _scaled_by_coverage(scored, intent)

        return await asyncio.to_thread(in_thread)

    def _score(self, paper: RawPaper, match: float, has: set[str], intent: ParsedIntent) -> ScoredPaper:
        kinds, asked = tags(paper.title, paper.abstract), intent.constraints.kinds
        wanted = WANTED.get(intent.intent_type)
        fits = bool(set(asked) & set(kinds)) or wanted in kinds
        recency = 0.5 ** (max(0, self.this_year - paper.year) / HALF_LIFE_YEARS) if paper.year else 0.0
        in_domain = any(set(stems(word)) <= has for word in self.domain.words)
        score = (
            TEXT_WEIGHT * match
            + RECENCY_WEIGHT * recency
            + CITATION_WEIGHT * min(1.0, math.log1p(max(0, paper.citation_count)) / math.log1p(MANY_CITATIONS))
            + KIND_WEIGHT * (wanted in kinds if wanted else in_domain)
        )
        score = round(min(1.0, max(0.0, score)) * (OTHER_KIND_SHARE if asked and not fits else 1), 4)
        reason = _reason(paper, _said(paper, has, intent), intent, fits)
        less_wanted = [word for word in intent.constraints.less_like if is_about(paper, word)]
        if less_wanted:
            score = round(score * max(LEAST_SHARE, 1 - LESS_LIKE_SHARE * len(less_wanted)), 4)
            reason += f"; less wanted: {_listed(less_wanted)}"
        return ScoredPaper(paper=paper, relevance_score=score, relevance_reason=reason, tags=kinds)


def _text_matches(papers: Sequence[RawPaper], intent: ParsedIntent) -> list[float]:
    given = [paper.facts.match for paper in papers]
    if None not in given:
        return [match or 0.0 for match in given]
    texts = [CandidateText(paper.title, paper.abstract or paper.snippet or "") for paper in papers]
    # The concepts come with their synonyms: a paper need not have the question's own words.
    asked = (intent.topic, " ".join(intent.concepts) or intent.topic)
    scores = [match_scores(" ".join((text, *intent.constraints.more_like)), texts) for text in asked]
    computed = [max(pair) for pair in zip(*scores, strict=True)]
    return [made if own is None else own for own, made in zip(given, computed, strict=True)]


def _with_links(papers: Sequence[RawPaper], matches: Sequence[float]) -> list[float]:
    """The matches; where citations were followed, each with its links as a share of the most."""
    links = [len(paper.facts.cites) + len(paper.facts.cited_by) for paper in papers]
    most = max(links, default=0)
    if not most:
        return list(matches)
    best = max(matches, default=0.0) or 1.0
    return [
        (1 - LINKS_WEIGHT) * match / best + LINKS_WEIGHT * number / most
        for match, number in zip(matches, links, strict=True)
    ]


def _said(paper: RawPaper, has: set[str], intent: ParsedIntent) -> list[str]:
    """Where a paper has the concepts; where it has none of them, the words of them that it has."""
    text = paper.abstract or paper.snippet or ""
    places = (
        ("title has", paper.title),
        ("abstract has" if paper.abstract else "text has", text),
        ("keywords have", "; ".join(paper.keywords)),
    )
    # Where nobody has named concepts, the words of the topic are literally what was looked for.
    sought = intent.concepts or list(dict.fromkeys(content_words(intent.topic)))
    said = []
    for place, written in places:
        read = WrittenText(written)
        found = {concept: quote for concept in sought if (quote := read.quote(_stems_by_word(concept)))}
        sought = [concept for concept in sought if concept not in found]
        said += [f"{place} {_listed(found.values())}"] if found else []
    in_words = [concept for concept in sought if set(stems(concept)) <= has]
    if in_words:
        said.append(f"has words of {_listed(in_words)}")
    if not said:
        single = dict.fromkeys(word for phrase in (*sought, intent.topic) for word in content_words(phrase))
        read = WrittenText(f"{paper.title} {text}")
        quotes = [quote for word in single if (quote := read.quote(_stems_by_word(word)))]
        said += [f"has {_listed(quotes)}"] if quotes else []
    return said


def _stems_by_word(phrase: str) -> list[list[str]]:
    return [stems(word) for word in _WORD.findall(phrase)]


def _reason(paper: RawPaper, said: Sequence[str], intent: ParsedIntent, fits: bool) -> str:
    """Which concepts the paper holds and where, quoted as they are there, and what else speaks for it."""
    parts = ["retracted"] if paper.facts.retracted else []
    parts += [f"by {name}" for name in intent.constraints.authors if is_by(paper.authors, name)]
    if paper.facts.cited_by:
        parts.append(f"cited by {len(paper.facts.cited_by)} of the relevant papers")
    if paper.facts.cites:
        parts.append(f"cites {len(paper.facts.cites)} of the relevant papers")
    parts += said
    if not parts:
        parts.append("no word of the question, close in meaning")
    if fits:
        parts.append(
            {IntentType.survey: "a review", IntentType.dataset: "about data"}.get(intent.intent_type, "an evaluation")
        )
    if paper.citation_count > 0:
        parts.append(f"cited {paper.citation_count} times")
    reason = "; ".join(parts)
    return reason[:1].upper() + reason[1:]


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"“{word}”" for word in dict.fromkeys(words))


def _scaled_by_coverage(scored: list[ScoredPaper], intent: ParsedIntent) -> list[ScoredPaper]:
    """Text matches are shares of the best one; if even the best papers lack the question's words, lower all scores."""
    filters = intent.constraints
    # Authors and venues are matched by the filters, not by the text.
    asked = set(stems(intent.topic)) - {word for name in (*filters.authors, *filters.venues) for word in stems(name)}
    best = sorted(scored, key=lambda item: -item.relevance_score)[:COVERAGE_PAPERS]
    found = [len(asked & set(stems(f"{item.paper.title} {item.paper.abstract or ''}"))) for item in best]
    coverage = max(found, default=0) / len(asked) if asked else 1.0
    for item in scored:
        item.relevance_score = round(item.relevance_score * (UNCOVERED_SHARE + (1 - UNCOVERED_SHARE) * coverage), 4)
    return scored
