"""What was added last, with the date, where the library knows; elsewhere a list keeps its own order."""

from msgspec.structs import replace

from papers.library.updates import added_last
from papers.search.list_query import PAGE_SIZE, ListQuery
from papers.search.results import ListedPaper, list_page, papers_by_id
from papers.search.tables import fitting
from papers.snapshot.models import Paper

# Papers that bear on the words of a feed, among which those added last are looked for.
LOOKED_AT = 500


def with_those_added_last(papers: list[ListedPaper], query: ListQuery) -> list[ListedPaper]:
    """The first papers of a list by when they were added, then the others in the order of the list."""
    added = added_last()
    if not added or query.sort:
        return papers
    if query.q.strip():
        found = {paper.paper_id: paper for paper in list_page(query, counted=(), size=LOOKED_AT).papers}
        last = [found[paper_id] for paper_id in added if paper_id in found]
    else:
        fit = Paper.objects.filter(fitting(query.request().filters), pk__in=list(added))
        fitting_ids = set(fit.values_list("pk", flat=True))
        last = papers_by_id([paper_id for paper_id in added if paper_id in fitting_ids][:PAGE_SIZE])
    first = [replace(paper, added=added[paper.paper_id]) for paper in last[:PAGE_SIZE]]
    shown = {paper.paper_id for paper in first}
    return [*first, *(paper for paper in papers if paper.paper_id not in shown)][:PAGE_SIZE]
