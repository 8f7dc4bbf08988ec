"""The passages that a list shows of papers whose full text has the words, and that their titles open."""

from dataclasses import replace

from papercore.retrieval import NO_FILTERS, QueryTerms, with_marks
from papercore.text import one_line
from papers.passages.search import FoundPassage, find_passages
from papers.search.results import ListedPaper, ShownPassage
from papers.search.snippet_text import without_markup

# Of one paper; what says more is one click away.
SHOWN = 2
# Papers of a page that are looked into, the best ones.
PAPERS = 10


def with_passages(query: str, papers: list[ListedPaper]) -> list[ListedPaper]:
    """The papers; those that were found in their full text with the passages that fit best."""
    found_inside = [paper.paper_id for paper in papers if "body" in paper.matched][:PAPERS]
    if not found_inside or not query.strip():
        return papers
    passages: dict[str, list[ShownPassage]] = {}
    sought = QueryTerms.of_words(query.split())
    for found in find_passages(query, NO_FILTERS, found_inside, SHOWN * PAPERS):
        passages.setdefault(found.located.paper.paper_id, []).append(_shown(found, sought))
    return [replace(paper, passages=tuple(passages.get(paper.paper_id, ())[:SHOWN])) for paper in papers]


def _shown(found: FoundPassage, sought: QueryTerms) -> ShownPassage:
    located = found.located
    marked = without_markup(with_marks(one_line(located.quote), sought))
    return ShownPassage(marked, located.section, located.page, located.link)
