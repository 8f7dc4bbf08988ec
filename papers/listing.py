"""Lists of papers: rows of the snapshot as hits, and pages of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

from paper_search import limits
from paper_search.errors import InvalidInput
from papers import content
from papers.fulltext import Match
from papers.models import Paper, PaperAuthor, PaperInstitution, PaperKeyword, PaperTag, PaperVenue
from papers.schemas import PaperHit, PaperPage

UNDATED_LAST = Case(When(year="unknown", then=Value(1)), default=Value(0), output_field=IntegerField())
NEWEST_FIRST = (UNDATED_LAST, "-year", "title", "paper_id")


def number(text: str) -> int | None:
    """A year or month of the snapshot, in which `unknown` and worse occur."""
    return int(text) if text.isascii() and text.isdigit() else None


def normalised(value: str) -> str:
    """How the snapshot writes facet values: lower case, blanks collapsed."""
    return " ".join(value.lower().split())


def authors_of(paper_ids: Iterable[str]) -> dict[str, list[str]]:
    rows = PaperAuthor.objects.filter(paper__in=list(paper_ids)).order_by("author_id")
    authors: dict[str, list[str]] = defaultdict(list)
    for paper_id, name in rows.values_list("paper_id", "author__value"):
        authors[paper_id].append(name)
    return authors


def hits(matches: Sequence[Match]) -> list[PaperHit]:
    """The matches in their order, with what a list shows of each paper."""
    papers = Paper.objects.in_bulk([match.paper_id for match in matches])
    authors = authors_of(papers)
    return [hit(papers[match.paper_id], authors, match.snippet) for match in matches if match.paper_id in papers]


def hit(paper: Paper, authors: dict[str, list[str]], snippet: str) -> PaperHit:
    return PaperHit(
        paper_id=paper.paper_id,
        title=paper.title,
        year=number(paper.year),
        venue=paper.venue,
        authors=authors.get(paper.paper_id, []),
        snippet_markdown=content.snippet_markdown(snippet),
    )


def next_offset(shown: int, total: int, offset: int) -> int | None:
    """Where the list goes on; None at its end, and where paging ends."""
    after = offset + shown
    return after if shown and after < total and after <= limits.OFFSET else None


def page(papers: list[PaperHit], total: int, offset: int) -> PaperPage:
    following = next_offset(len(papers), total, offset)
    return PaperPage(papers=papers, total=total, offset=offset, next_offset=following)


def page_of(papers: QuerySet[Paper], limit: int, offset: int) -> PaperPage:
    rows = papers.values_list("paper_id", "summary_preview")[offset : offset + limit]
    return page(hits([Match(*row) for row in rows]), papers.count(), offset)


def window(limit: int, offset: int, page: int | None, page_size: int | None) -> tuple[int, int]:
    """Limit and offset, whichever way the caller counts."""
    if page is None and page_size is None:
        return limit, offset
    size = page_size or limit
    start = ((page or 1) - 1) * size
    if start > limits.OFFSET:
        raise InvalidInput(f"page: page {page} begins past the first {limits.OFFSET:,} results; narrow the query.")
    return size, start


def newest() -> QuerySet[Paper]:
    return Paper.objects.order_by(*NEWEST_FIRST)


def having(
    *,
    author: str | None = None,
    venue: str | None = None,
    keyword: str | None = None,
    tag: str | None = None,
    institution: str | None = None,
) -> Q:
    """Papers with such facet values; a part of a value is enough, and `%` and `_` are plain characters."""
    condition = Q()
    if author:
        condition &= Q(pk__in=PaperAuthor.objects.filter(author__value__contains=normalised(author)).values("paper_id"))
    if venue:
        condition &= Q(pk__in=PaperVenue.objects.filter(venue__value__contains=normalised(venue)).values("paper_id"))
    if keyword:
        links = PaperKeyword.objects.filter(keyword__value__contains=normalised(keyword))
        condition &= Q(pk__in=links.values("paper_id"))
    if tag:
        condition &= Q(pk__in=PaperTag.objects.filter(tag__value__contains=normalised(tag)).values("paper_id"))
    if institution:
        links_to = PaperInstitution.objects.filter(institution__value__contains=normalised(institution))
        condition &= Q(pk__in=links_to.values("paper_id"))
    return condition


def within_years(year_from: int | None, year_to: int | None) -> Q:
    """Years are four-digit texts in the snapshot, so that they compare as texts."""
    condition = Q() if year_from is None and year_to is None else ~Q(year="unknown")
    if year_from is not None:
        condition &= Q(year__gte=f"{year_from:04}")
    if year_to is not None:
        condition &= Q(year__lte=f"{year_to:04}")
    return condition
