"""Finds passages: the papers that a search lists, and in their texts the passages that bear on the query."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papercore import limits
from papercore.errors import ToolError
from papercore.passages import CutText, cut
from papercore.passages.ranking import Candidate, rank
from papercore.retrieval import Filters, Request
from papers.catalogue.paper_lookup import find_paper
from papers.models import Paper
from papers.passages.addresses import LocatedPassage
from papers.search.results import list_papers
from papers.texts.named import NamedText, names_of, read_named

# Code and formulas have few words, and none that a question would have.
_SEARCHED = ("text", "item", "table")
# What a query excludes, or asks of the paper, is no word of a passage.
_NOT_SOUGHT = re.compile(
    r"""(?:^|(?<=[\s(]))(?:-|NOT\s|(?:author|venue|keyword|tag|institution|language|year):)(?:"[^"]{0,500}"|[^\s"()]+)"""
)


@dataclass(frozen=True)
class FoundPassage:
    """A passage that bears on a query."""

    located: LocatedPassage
    score: float


def find_passages(query: str, filters: Filters, paper_ids: Sequence[str], limit: int) -> list[FoundPassage]:
    """The best passages, a few of each paper at most; in these papers, or in those that the query finds."""
    papers = [(find_paper(name), 1.0) for name in paper_ids] or _best_papers(query, filters)
    found = [
        LocatedPassage(source, text, passage)
        for source, text in _texts(papers)
        for passage in text.passages
        if passage.kind in _SEARCHED
    ]
    fit = {paper.paper_id: score for paper, score in papers}
    candidates = [
        Candidate(
            item.cut.quote(item.passage),
            f"{item.source.paper.title} {item.section}",
            fit[item.source.paper.paper_id],
        )
        for item in found
    ]
    ranked = [FoundPassage(found[item.candidate], item.score) for item in rank(_NOT_SOUGHT.sub(" ", query), candidates)]
    most = limit if paper_ids else limits.PASSAGES_OF_PAPER
    return _without_repetition(ranked, most)[:limit]


def _best_papers(query: str, filters: Filters) -> list[tuple[Paper, float]]:
    listed = list_papers(Request(query, limits.PASSAGE_PAPERS, filters=filters)).papers
    best = max((paper.score or 0 for paper in listed), default=0) or 1
    rows = Paper.objects.in_bulk([paper.paper_id for paper in listed])
    return [(rows[paper.paper_id], (paper.score or 0) / best) for paper in listed if paper.paper_id in rows]


def _texts(papers: Sequence[tuple[Paper, float]]) -> Iterator[tuple[NamedText, CutText]]:
    """The texts of the papers, cut, as many as the time of one search allows; unreadable ones are left out."""
    left = limits.SEARCHED_CHARS
    for paper, _ in papers:
        for name in names_of(paper):
            try:
                source = read_named(paper, name)
            except ToolError:
                continue
            if len(source.text) <= left:
                left -= len(source.text)
                yield source, cut(source.text)


def _without_repetition(ranked: Sequence[FoundPassage], most: int) -> list[FoundPassage]:
    """Each wording once, although an abstract is often in the source, too, and no more than so many of a paper."""
    seen: set[tuple[str, str]] = set()
    taken: Counter[str] = Counter()
    kept = []
    for found in ranked:
        paper_id, check = found.located.source.paper.paper_id, found.located.cut.check(found.located.passage)
        if (paper_id, check) not in seen and taken[paper_id] < most:
            seen.add((paper_id, check))
            taken[paper_id] += 1
            kept.append(found)
    return kept
