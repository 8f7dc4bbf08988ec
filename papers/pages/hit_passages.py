"""The passages that a list shows of papers whose texts have the words, and that their titles open."""

from collections import defaultdict

from msgspec.structs import replace

from papercore.passages.ranking import sought_in
from papercore.retrieval import NO_FILTERS, QueryTerms
from papers.catalogue.names import text_kind
from papers.passages.marked import marked_words
from papers.search.passages import FoundPassage, find_passages
from papers.search.results import ListedPaper, ShownPassage

# Of one paper; what says more is one click away.
SHOWN = 2
# Where a hit matched: in the summary, or in the full text.
TEXTS = frozenset({"text", "body"})
# Papers of a page that are looked into, the best ones.
PAPERS = 10


def with_passages(query: str, papers: list[ListedPaper]) -> list[ListedPaper]:
    """The papers; those that have the words in a text with the passages that fit best."""
    found_inside = [paper.paper_id for paper in papers if not TEXTS.isdisjoint(paper.matched)][:PAPERS]
    if not found_inside or not query.strip():
        return papers
    passages: dict[str, list[FoundPassage]] = defaultdict(list)
    for found in find_passages(query, NO_FILTERS, found_inside, SHOWN * PAPERS):
        passages[found.located.paper.paper_id].append(found)
    sought = sought_in(query)
    return [
        replace(paper, passages=tuple(_shown(found, sought) for found in passages[paper.paper_id][:SHOWN]))
        if paper.paper_id in passages
        else paper
        for paper in papers
    ]


def _shown(found: FoundPassage, sought: QueryTerms) -> ShownPassage:
    located = found.located
    place = located.section or text_kind(located.text)
    return ShownPassage(marked_words(located.quote, sought), place, located.page, located.link)
