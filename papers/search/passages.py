"""Finds the passages that bear on a query: by the index of passages, else in the texts of the best papers."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from papercore import limits
from papercore.errors import ToolError
from papercore.passages import CutText, cut
from papercore.passages.ranking import COVERED, Candidate, RankedPassage, rank, rank_by_meaning, rank_by_words
from papercore.retrieval import Filters, Index, PassageRequest, Request
from papers.catalogue.paper_lookup import find_paper
from papers.catalogue.paper_rows import papers_with_ids
from papers.passages.addresses import LocatedPassage, TextPassage
from papers.passages.indexed import PlacedCandidate, read_candidates, searched_passages
from papers.search.results import list_papers
from papers.snapshot import index
from papers.snapshot.models import Paper
from papers.texts.named import NamedText, names_of, read_named

# What a query excludes, or asks of the paper, is no word of a passage.
_NOT_SOUGHT = re.compile(
    r"""(?:^|(?<=[\s(]))(?:-|NOT\s|(?:author|venue|keyword|tag|institution|language|year):)(?:"[^"]{0,500}"|[^\s"()]+)"""
)


class FoundPassage(Struct, frozen=True):
    """A passage that bears on a query."""

    located: LocatedPassage
    score: float
    # The share of the query's words that it has.
    covered: float


def find_passages(query: str, filters: Filters, paper_ids: Sequence[str], limit: int) -> list[FoundPassage]:
    """The best passages, a few of each paper at most; in these papers, or in those that the query finds."""
    papers = [find_paper(name) for name in paper_ids]
    names = tuple(paper.paper_id for paper in papers)
    request = PassageRequest(query, max(limits.PASSAGES_RANKED, 2 * limit), filters, names)

    def by_index(built: Index) -> list[FoundPassage] | None:
        return _by_index(built, request)

    # None without an index, or while it fails.
    found = index.ask(by_index, lambda: None)
    if found is None:
        found = _in_texts(query, [(paper, 1.0) for paper in papers] or _best_papers(query, filters))
    if not papers and not _answers(query, filters, found):
        return []
    return _without_repetition(found, limit if papers else limits.PASSAGES_OF_PAPER)[:limit]


def _answers(query: str, filters: Filters, found: Sequence[FoundPassage]) -> bool:
    """Whether any of this answers. Of two words a passage may have a common one alone: then papers must fit, too."""
    covered = max((item.covered for item in found), default=0.0)
    return covered >= COVERED or list_papers(Request(query, 1, filters=filters)).total > 0


def _by_index(built: Index, request: PassageRequest) -> list[FoundPassage]:
    """By words, else by meaning. In papers that are named, words decide: whoever names them waits for many lists."""
    reader = None if request.documents else built.reader(_sought(request.query))
    for by_meaning, rank_candidates in ((False, rank_by_words), (True, rank_by_meaning)):
        candidates = built.passages(replace(request, by_meaning=by_meaning))
        placed = list(read_candidates(candidates))
        if found := _ranked(request.query, placed, partial(rank_candidates, reader=reader)):
            return found
    return []


def _ranked(
    query: str,
    found: Sequence[PlacedCandidate],
    rank_candidates: Callable[[str, Sequence[Candidate]], list[RankedPassage]],
) -> list[FoundPassage]:
    candidates = [
        Candidate(item.located.quote, f"{item.located.paper.title} {item.located.section}", item.fit) for item in found
    ]
    best = rank_candidates(_sought(query), candidates)
    return [FoundPassage(found[item.candidate].located, item.score, item.covered) for item in best]


def _sought(query: str) -> str:
    return _NOT_SOUGHT.sub(" ", query)


def _in_texts(query: str, papers: Sequence[tuple[Paper, float]]) -> list[FoundPassage]:
    """Without an index of passages: in the texts of these papers, which are cut for it."""
    fit = {paper.paper_id: score for paper, score in papers}
    found = [
        PlacedCandidate(TextPassage(source, text, passage).located, fit[source.paper.paper_id])
        for source, text in _texts(papers)
        for passage in searched_passages(text)
    ]
    return _ranked(query, found, rank)


def _best_papers(query: str, filters: Filters) -> list[tuple[Paper, float]]:
    listed = list_papers(Request(query, limits.PASSAGE_PAPERS, filters=filters)).papers
    best = max((paper.score or 0 for paper in listed), default=0) or 1
    rows = papers_with_ids(paper.paper_id for paper in listed)
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
        paper_id, check = found.located.paper.paper_id, found.located.check
        if (paper_id, check) not in seen and taken[paper_id] < most:
            seen.add((paper_id, check))
            taken[paper_id] += 1
            kept.append(found)
    return kept
