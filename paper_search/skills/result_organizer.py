"""Makes the collection: best papers first, cut to size, with facets and themes."""

from collections import Counter
from collections.abc import Iterable, Sequence

from paper_search.models import (
    Facets,
    Paper,
    PaperCollection,
    ScoredPaper,
    SearchMetadata,
    SearchStrategy,
)
from paper_search.text import NOTHING, mark, words
from papercore.text import REQUEST_STOP_WORDS, stem

TOP_AUTHORS = 10
TOP_VENUES = 20
THEMES = 8


class RuleResultOrganizer:
    async def organize(self, papers: list[ScoredPaper], strategy: SearchStrategy, query: str) -> PaperCollection:
        # Equal scores keep the order in which the sources ranked them.
        ranked = sorted(papers, key=lambda scored: -scored.relevance_score)
        lowest = _mark([item for item in ranked if _is_judged(item)], strategy.filters.like_papers)
        relevant = [item for item in ranked if item.relevance_score >= lowest or not _is_judged(item)]
        collected = [
            Paper.model_validate(
                scored.paper.model_dump(exclude={"snippet", "raw_data", "facts"})
                | scored.model_dump(exclude={"paper"})
                | {"abstract": scored.paper.abstract or scored.paper.snippet}
            )
            for scored in relevant[: strategy.filters.max_results]
        ]
        metadata = SearchMetadata(query=query, search_strategy=strategy, total_found=len(papers))
        return PaperCollection(metadata=metadata, papers=collected, facets=facets_of(collected))


def _is_judged(scored: ScoredPaper) -> bool:
    """Whether its library said how well it answers the question; what other sources or citations gave has no judge."""
    return scored.paper.facts.match is not None


def _mark(judged: Sequence[ScoredPaper], marked: Sequence[str]) -> float:
    """The score below which a paper is no result; marks raise the score of the papers that have them.

    Where a library gives only papers that its judge calls nothing, it knows them by names, not by what they say.
    """
    if all((item.paper.facts.match or 0.0) < NOTHING for item in judged):
        return 0.0
    return mark(max((item.relevance_score for item in judged if item.paper.id not in marked), default=0.0))


def facets_of(papers: Sequence[Paper]) -> Facets:
    years = Counter(paper.year for paper in papers if paper.year)
    venues = Counter(paper.venue for paper in papers if paper.venue)
    authors = Counter(author.name for paper in papers for author in paper.authors if author.name)
    return Facets(
        by_year=dict(sorted(years.items())),
        by_venue=dict(venues.most_common(TOP_VENUES)),
        top_authors=[name for name, _ in authors.most_common(TOP_AUTHORS)],
        key_themes=themes(paper.title for paper in papers),
    )


def themes(titles: Iterable[str]) -> list[str]:
    """Word pairs, or else single words, that several titles share, in their most common spelling."""
    spellings: dict[str, Counter[str]] = {}
    for title in titles:
        phrases: dict[str, str] = {}
        before = ""
        for word in words(title):
            if word in REQUEST_STOP_WORDS or len(word) < 3 or word.isdigit():
                before = ""
                continue
            phrases[stem(word)] = word
            if before:
                phrases[f"{stem(before)} {stem(word)}"] = f"{before} {word}"
            before = word
        for stems, phrase in phrases.items():
            spellings.setdefault(stems, Counter())[phrase] += 1
    shared = [stems for stems, counts in spellings.items() if counts.total() > 1]
    shared.sort(key=lambda stems: -spellings[stems].total() * (2 if " " in stems else 1))
    chosen: list[str] = []
    for stems in shared:
        if not any(set(stems.split()) <= set(other.split()) for other in chosen):
            chosen.append(stems)
    return [spellings[stems].most_common(1)[0][0] for stems in chosen[:THEMES]]
