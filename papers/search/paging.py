"""Lists of papers: rows of the snapshot as hits, and pages of them."""

from django.db.models import Case, IntegerField, QuerySet, Value, When

from papercore import limits
from papercore.errors import InvalidInput
from papers.catalogue import names
from papers.models import Paper
from papers.schemas import PaperHit, PaperPage
from papers.texts import stored

UNDATED_LAST = Case(When(year="unknown", then=Value(1)), default=Value(0), output_field=IntegerField())
NEWEST_FIRST = (UNDATED_LAST, "-year", "title", "paper_id")


def number(text: str) -> int | None:
    """A year or month of the snapshot, in which `unknown` and worse occur."""
    return int(text) if text.isascii() and text.isdigit() else None


def newest() -> QuerySet[Paper]:
    return Paper.objects.order_by(*NEWEST_FIRST)


def page_of(papers: QuerySet[Paper], limit: int, offset: int) -> PaperPage:
    # Whole rows are read for the few that are shown alone: sorting them takes twice as long.
    ids = list(papers.values_list("pk", flat=True)[offset : offset + limit])
    rows, authors, total = Paper.objects.in_bulk(ids), names.authors(ids), papers.count()
    return PaperPage(
        papers=[hit(rows[paper_id], authors[paper_id]) for paper_id in ids],
        total=total,
        offset=offset,
        next_offset=next_offset(len(ids), total, offset),
    )


def hit(paper: Paper, authors: list[str]) -> PaperHit:
    return PaperHit(
        paper_id=paper.paper_id,
        title=paper.title,
        year=number(paper.year),
        venue=paper.venue,
        authors=authors,
        snippet_markdown=stored.snippet_markdown(paper.summary_preview),
    )


def next_offset(shown: int, total: int, offset: int) -> int | None:
    """Where the list goes on; None at its end, and where paging ends."""
    after = offset + shown
    return after if shown and after < total and after <= limits.OFFSET else None


def window(limit: int, offset: int, page: int | None, page_size: int | None) -> tuple[int, int]:
    """Limit and offset, whichever way the caller counts."""
    if page is None and page_size is None:
        return limit, offset
    size = page_size or limit
    start = ((page or 1) - 1) * size
    if start > limits.OFFSET:
        raise InvalidInput(f"page: page {page} begins past the first {limits.OFFSET:,} results; narrow the query.")
    return size, start
