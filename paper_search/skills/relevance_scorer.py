"""How relevant each paper is, with a reason that a person can read."""

import asyncio
import math
from collections.abc import Sequence
from datetime import UTC, datetime

from paper_search.domains import Domain
from paper_search.models import IntentType, ParsedIntent, RawPaper, ScoredPaper
from paper_search.skills.filters import is_by
from paper_search.skills.tagging import WANTED, tags
from paper_search.skills.text_match import CandidateText, match_scores
from paper_search.text import stems

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
# If the first papers hold none of the question's words, nothing relevant was found: this share of each score is left.
COVERAGE_PAPERS, UNCOVERED_SHARE = 5, 0.4


class RuleRelevanceScorer:
    """Takes the text match that a source left in `raw_data["match"]`; computes it for the others."""

    def __init__(self, domain: Domain, this_year: int | None = None) -> None:
        self.domain = domain
        self.this_year = this_year or datetime.now(UTC).year

    async def score(self, papers: list[RawPaper], intent: ParsedIntent) -> list[ScoredPaper]:
        return await asyncio.to_thread(self._score_all, papers, intent)

    def _score_all(self, papers: Sequence[RawPaper], intent: ParsedIntent) -> list[ScoredPaper]:
        given = [paper.raw_data.get("match") for paper in papers]
        matches = [match for match in given if isinstance(match, float)]
        if len(matches) < len(papers):
            texts = [CandidateText(paper.title, paper.abstract or paper.snippet or "") for paper in papers]
            # The concepts come with their synonyms: a paper need not have the question's own words.
            asked = (intent.topic, " ".join(intent.concepts) or intent.topic)
            scores = [match_scores(" ".join((text, *intent.constraints.more_like)), texts) for text in asked]
            computed = [max(pair) for pair in zip(*scores, strict=True)]
            matches = [own if isinstance(own, float) else made for own, made in zip(given, computed, strict=True)]
        scored = [self._score(paper, match, intent) for paper, match in zip(papers, matches, strict=True)]
        return _scaled_by_coverage([_demoted(item, intent.constraints.less_like) for item in scored], intent)

    def _score(self, paper: RawPaper, match: float, intent: ParsedIntent) -> ScoredPaper:
        kinds = tags(paper.title, paper.abstract)
        asked = set(intent.constraints.kinds)
        wanted = WANTED.get(intent.intent_type)
        fits = bool(asked & set(kinds)) or wanted in kinds
        score = (
            TEXT_WEIGHT * match
            + RECENCY_WEIGHT * self._recency(paper.year)
            + CITATION_WEIGHT * min(1.0, math.log1p(max(0, paper.citation_count)) / math.log1p(MANY_CITATIONS))
            + KIND_WEIGHT * (wanted in kinds if wanted else self._in_domain(paper))
        )
        return ScoredPaper(
            paper=paper,
            relevance_score=round(min(1.0, max(0.0, score)) * (OTHER_KIND_SHARE if asked and not fits else 1), 4),
            relevance_reason=_reason(paper, match, intent, fits),
            tags=kinds,
        )

    def _recency(self, year: int | None) -> float:
        return 0.5 ** (max(0, self.this_year - year) / HALF_LIFE_YEARS) if year else 0.0

    def _in_domain(self, paper: RawPaper) -> bool:
        paper_stems = set(stems(f"{paper.title} {paper.abstract or ''}"))
        return any(set(stems(word)) <= paper_stems for word in self.domain.words)


def _demoted(item: ScoredPaper, less_like: Sequence[str]) -> ScoredPaper:
    """The paper with a lower score for each of the words that it has, down to half."""
    text = set(stems(f"{item.paper.title} {item.paper.abstract or item.paper.snippet or ''}"))
    found = [word for word in less_like if set(stems(word)) <= text]
    if found:
        item.relevance_score = round(item.relevance_score * max(LEAST_SHARE, 1 - LESS_LIKE_SHARE * len(found)), 4)
        item.relevance_reason += f"; less wanted: {_listed(found)}"
    return item


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


def _reason(paper: RawPaper, match: float, intent: ParsedIntent, fits: bool) -> str:
    """Which concepts the paper holds and where, and what else speaks for it."""
    title, text = set(stems(paper.title)), set(stems(f"{paper.title} {paper.abstract or paper.snippet or ''}"))
    in_title = [concept for concept in intent.concepts if set(stems(concept)) <= title]
    in_text = [concept for concept in intent.concepts if concept not in in_title and set(stems(concept)) <= text]
    parts = ["retracted"] if paper.raw_data.get("retracted") else []
    parts += [f"by {name}" for name in intent.constraints.authors if is_by(paper.authors, name)]
    if in_title:
        parts.append(f"title has {_listed(in_title)}")
    if in_text:
        parts.append(f"abstract has {_listed(in_text)}")
    if not parts:
        parts.append("close in meaning" if match >= 0.3 else "matches some words")
    if fits:
        parts.append(
            {IntentType.survey: "a review", IntentType.dataset: "about data"}.get(intent.intent_type, "an evaluation")
        )
    if paper.citation_count > 0:
        parts.append(f"cited {paper.citation_count} times")
    reason = "; ".join(parts)
    return reason[:1].upper() + reason[1:]


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)
