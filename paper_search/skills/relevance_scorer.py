"""How relevant each paper is, with a reason that a person can read."""

import asyncio
import math
from collections.abc import Sequence
from datetime import UTC, datetime

from paper_search.domains import Domain
from paper_search.models import IntentType, ParsedIntent, RawPaper, ScoredPaper
from paper_search.skills.tagging import WANTED, tags
from paper_search.skills.text import stems
from paper_search.skills.text_match import Text, match_scores

# The text decides; the rest orders papers that match alike.
TEXT, RECENT, CITED, FITS = 0.92, 0.03, 0.03, 0.02
# After this many years a paper counts as half as recent.
HALF_LIFE = 8
# Cited this often, a paper has all the credit that citations can give.
MANY_CITATIONS = 1_000
# The papers by which a whole result is judged, and what is left of a score when these have none of the words.
BEST, DOUBTFUL = 5, 0.4


class RuleRelevanceScorer:
    """A source that ranks by the retrieval engine leaves its score in `raw_data["match"]`; it is taken as it is."""

    def __init__(self, domain: Domain, this_year: int | None = None) -> None:
        self.domain = domain
        self.this_year = this_year or datetime.now(UTC).year

    async def score(self, papers: list[RawPaper], intent: ParsedIntent) -> list[ScoredPaper]:
        return await asyncio.to_thread(self._score_all, papers, intent)

    def _score_all(self, papers: Sequence[RawPaper], intent: ParsedIntent) -> list[ScoredPaper]:
        texts = [Text(paper.title, paper.abstract or paper.snippet or "") for paper in papers]
        computed = match_scores(intent.topic, texts) if any(map(_needs_match, papers)) else [0.0] * len(papers)
        pairs = zip(papers, computed, strict=True)
        return _tempered([self._score(paper, _match(paper, match), intent) for paper, match in pairs], intent)

    def _score(self, paper: RawPaper, match: float, intent: ParsedIntent) -> ScoredPaper:
        kinds = tags(paper.title, paper.abstract)
        wanted = WANTED.get(intent.intent_type)
        score = (
            TEXT * match
            + RECENT * self._recency(paper.year)
            + CITED * min(1.0, math.log1p(max(0, paper.citation_count)) / math.log1p(MANY_CITATIONS))
            + FITS * (wanted in kinds if wanted else self._in_domain(paper))
        )
        return ScoredPaper(
            paper=paper,
            relevance_score=round(min(1.0, max(0.0, score)), 4),
            relevance_reason=_reason(paper, match, intent, wanted in kinds),
            tags=kinds,
        )

    def _recency(self, year: int | None) -> float:
        return 0.5 ** (max(0, self.this_year - year) / HALF_LIFE) if year else 0.0

    def _in_domain(self, paper: RawPaper) -> bool:
        own = set(stems(f"{paper.title} {paper.abstract or ''}"))
        return any(set(stems(word)) <= own for word in self.domain.words)


def _tempered(scored: list[ScoredPaper], intent: ParsedIntent) -> list[ScoredPaper]:
    """Matches are shares of the best one; where even the best lack the question's words, none is a sure hit."""
    asked = set(stems(intent.topic))
    best = sorted(scored, key=lambda item: -item.relevance_score)[:BEST]
    found = [len(asked & set(stems(f"{item.paper.title} {item.paper.abstract or ''}"))) for item in best]
    share = max(found, default=0) / (len(asked) or 1)
    for item in scored:
        item.relevance_score = round(item.relevance_score * (DOUBTFUL + (1 - DOUBTFUL) * share), 4)
    return scored


def _needs_match(paper: RawPaper) -> bool:
    return not isinstance(paper.raw_data.get("match"), float)


def _match(paper: RawPaper, computed: float) -> float:
    given = paper.raw_data.get("match")
    return given if isinstance(given, float) else computed


def _reason(paper: RawPaper, match: float, intent: ParsedIntent, fits: bool) -> str:
    """Which concepts it holds and where, how close it is, and what else speaks for it."""
    title, text = set(stems(paper.title)), set(stems(f"{paper.title} {paper.abstract or paper.snippet or ''}"))
    in_title = [concept for concept in intent.concepts if set(stems(concept)) <= title]
    in_text = [concept for concept in intent.concepts if concept not in in_title and set(stems(concept)) <= text]
    parts = []
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
    return "; ".join(parts).capitalize()[:1] + "; ".join(parts)[1:]


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)
