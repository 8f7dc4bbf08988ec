"""How relevant each paper is, with a reason that a person can read."""

import asyncio
import math
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from paper_search.domains import Domain
from paper_search.models import IntentType, ParsedIntent, RawPaper, ScoredPaper
from paper_search.skills.filters import WANTED, is_about, is_by, tags
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


class RuleRelevanceScorer:
    """Takes the text match that a source gave a paper; computes it for the others."""

    def __init__(self, domain: Domain, this_year: int | None = None) -> None:
        self.domain = domain
        self.this_year = this_year or datetime.now(UTC).year

    async def score(self, papers: list[RawPaper], intent: ParsedIntent) -> list[ScoredPaper]:
        def in_thread() -> list[ScoredPaper]:
            matches = _with_links(papers, _text_matches(papers, intent))
            scored = [self._score(paper, match, intent) for paper, match in zip(papers, matches, strict=True)]
            return _scaled_by_coverage(scored, intent)

        return await asyncio.to_thread(in_thread)

    def _score(self, paper: RawPaper, match: float, intent: ParsedIntent) -> ScoredPaper:
        kinds, asked, wanted = (
            tags(paper.title, paper.abstract),
            intent.constraints.kinds,
            WANTED.get(intent.intent_type),
        )
        text = _text_stems(paper)
        fits = bool(set(asked) & set(kinds)) or wanted in kinds
        recency = 0.5 ** (max(0, self.this_year - paper.year) / HALF_LIFE_YEARS) if paper.year else 0.0
        in_domain = any(set(stems(word)) <= text for word in self.domain.words)
        score = (
            TEXT_WEIGHT * match
            + RECENCY_WEIGHT * recency
            + CITATION_WEIGHT * min(1.0, math.log1p(max(0, paper.citation_count)) / math.log1p(MANY_CITATIONS))
            + KIND_WEIGHT * (wanted in kinds if wanted else in_domain)
        )
        score = round(min(1.0, max(0.0, score)) * (OTHER_KIND_SHARE if asked and not fits else 1), 4)
        reason = _reason(paper, intent, fits)
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


def _text_stems(paper: RawPaper) -> set[str]:
    return set(stems(f"{paper.title} {paper.abstract or paper.snippet or ''}"))


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


def _reason(paper: RawPaper, intent: ParsedIntent, fits: bool) -> str:
    """Which concepts the paper holds and where, quoted as they are there, and what else speaks for it."""
    parts = ["retracted"] if paper.facts.retracted else []
    parts += [f"by {name}" for name in intent.constraints.authors if is_by(paper.authors, name)]
    if paper.facts.cited_by:
        parts.append(f"cited by {len(paper.facts.cited_by)} of the relevant papers")
    if paper.facts.cites:
        parts.append(f"cites {len(paper.facts.cites)} of the relevant papers")
    parts += _said(paper, intent)
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


def _said(paper: RawPaper, intent: ParsedIntent) -> list[str]:
    """Where it has the concepts; where it has none of them, the words of them that it has."""
    text, holds = paper.abstract or paper.snippet or "", _text_stems(paper)
    places = (
        ("title has", paper.title),
        ("abstract has" if paper.abstract else "text has", text),
        ("keywords have", "; ".join(paper.keywords)),
    )
    # Where nobody has named concepts, the words of the topic are literally what was looked for.
    sought = intent.concepts or list(dict.fromkeys(content_words(intent.topic)))
    said = []
    for place, written in places:
        found = {concept: quote for concept in sought if (quote := _as_written(concept, written))}
        sought = [concept for concept in sought if concept not in found]
        said += [f"{place} {_listed(found.values())}"] if found else []
    in_words = [concept for concept in sought if set(stems(concept)) <= holds]
    if in_words:
        said.append(f"has words of {_listed(in_words)}")
    if not said:
        single = dict.fromkeys(word for phrase in (*sought, intent.topic) for word in content_words(phrase))
        quotes = [quote for word in single if (quote := _as_written(word, f"{paper.title} {text}"))]
        said += [f"has {_listed(quotes)}"] if quotes else []
    return said


def _as_written(concept: str, text: str) -> str:
    """The concept as the text writes it, if its words are there side by side; each may have another ending."""
    sought = [stems(word) for word in re.findall(r"\w+", concept)]
    words = list(re.finditer(r"\w+", text))
    for first in range(len(words) - len(sought) + 1 if sought else 0):
        stretch = words[first : first + len(sought)]
        gaps = {text[before.end() : after.start()] for before, after in pairwise(stretch)}
        if gaps <= {" ", "-", "\u2010"} and [stems(word[0]) for word in stretch] == sought:
            return text[stretch[0].start() : stretch[-1].end()]
    return ""


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"“{word}”" for word in dict.fromkeys(words))
