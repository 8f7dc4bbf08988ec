"""The query a reader makes for a list of papers: read from an address, and written back into one."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, get_args
from urllib.parse import quote_plus, urlencode

from django.http import QueryDict
from django.urls import reverse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from papercore import limits
from papercore.retrieval import Filters, Request
from papercore.retrieval import Sort as IndexSort
from papercore.snapshot.file import facet_key
from papercore.tool import VISIBLE, VISIBLE_OR_BLANK, invalid_input

Facet = Literal["venue", "keyword", "author", "institution", "tag", "template", "language", "has"]
Sort = Literal["relevance", "newest", "oldest", "title"]
FACETS: tuple[Facet, ...] = get_args(Facet)
SORTS: tuple[Sort, ...] = get_args(Sort)
PAGE_SIZE = 20
LAST_PAGE = limits.OFFSET // PAGE_SIZE
# Values of a facet that a page may show, and more distinct years than any library has.
FACET_VALUES = 12
YEARS = 400
_INDEX_SORTS: dict[Sort, IndexSort] = {
    "newest": "year",
    "oldest": "oldest",
    "title": "title",
    "relevance": "relevance",
}
# Stands for one of many values, so that an address is written once for all of them. No query has this character.
_MARK = "\0"
_QUOTED_MARK = quote_plus(_MARK)


Year = Annotated[int | None, BeforeValidator(lambda value: None if value == "" else value), Field(ge=0, le=9999)]
Text = Annotated[str, Field(max_length=limits.QUERY_CHARS), VISIBLE_OR_BLANK]
Value = Annotated[str, Field(min_length=1, max_length=limits.QUERY_CHARS), VISIBLE]
Values = Annotated[tuple[Value, ...], Field(max_length=limits.FILTERS)]


class ListQuery(BaseModel):
    """One query for a list of papers: one value of each facet, the words and the years must fit."""

    model_config = ConfigDict(frozen=True)

    q: Text = ""
    venue: Values = ()
    keyword: Values = ()
    author: Values = ()
    institution: Values = ()
    tag: Values = ()
    template: Values = ()
    language: Values = ()
    has: tuple[Literal["source", "translation", "bibtex", "pdf"], ...] = ()
    year_from: Year = None
    year_to: Year = None
    sort: Sort | None = None
    # Slips in the words are not mended.
    as_typed: bool = False
    page: int = Field(1, ge=1, le=LAST_PAGE)

    @property
    def order(self) -> Sort:
        """Best first where there are words to match, newest first elsewhere."""
        return self.sort or ("relevance" if self.q.strip() else "newest")

    @property
    def offset(self) -> int:
        return (self.page - 1) * PAGE_SIZE

    @property
    def values(self) -> list[tuple[Facet, str]]:
        """The facet values to filter by, in the order of the facets."""
        return [(facet, value) for facet in FACETS for value in getattr(self, facet)]

    @property
    def has_years(self) -> bool:
        return self.year_from is not None or self.year_to is not None

    @property
    def is_upside_down(self) -> bool:
        """Whether the first year is after the last. Such a range means the same years."""
        return self.year_from is not None and self.year_to is not None and self.year_from > self.year_to

    def with_years_swapped(self) -> "ListQuery":
        return self.model_copy(update={"year_from": self.year_to, "year_to": self.year_from})

    @property
    def is_filtered(self) -> bool:
        return bool(self.values) or self.has_years

    def changed(self, **changes: object) -> "ListQuery":
        """The same query with these fields changed, from its first page."""
        return self.model_copy(update={"page": 1, **changes})

    def toggled(self, facet: Facet, value: str) -> "ListQuery":
        """With the facet value added, or removed if it is there."""
        values: tuple[str, ...] = getattr(self, facet)
        kept = tuple(other for other in values if facet_key(other) != facet_key(value))
        return self.changed(**{facet: kept if kept != values else (*values, value)})

    def facet_keys(self, facet: Facet) -> set[str]:
        """The values of a facet that the query filters by, however they are written."""
        return set(map(facet_key, getattr(self, facet)))

    def without_facet(self, facet: Facet) -> "ListQuery":
        return self.changed(**{facet: ()})

    def toggle_urls(self, facet: Facet, values: Iterable[str]) -> list[str]:
        """For each value of a facet, the address of the list with that value added or removed."""
        used = self.facet_keys(facet)
        before, after = self.toggled(facet, _MARK).url.split(_QUOTED_MARK)
        return [
            self.toggled(facet, value).url
            if used and facet_key(value) in used
            else f"{before}{quote_plus(value)}{after}"
            for value in values
        ]

    def year_urls(self, spans: Iterable[tuple[int, int]]) -> list[str]:
        """For each span of years, the address of the list within it."""
        before, between, after = self.changed(year_from=_MARK, year_to=_MARK).url.split(_QUOTED_MARK)
        return [f"{before}{first}{between}{last}{after}" for first, last in spans]

    def without_years(self) -> "ListQuery":
        return self.changed(year_from=None, year_to=None)

    def without_filters(self) -> "ListQuery":
        return ListQuery(q=self.q, sort=self.sort)

    def request(self, facets: tuple[str, ...] = (), *, limit: int = PAGE_SIZE, offset: int | None = None) -> Request:
        """What to ask the search engine: this page, or another part of the list."""
        return Request(
            query=self.q,
            limit=limit,
            offset=self.offset if offset is None else offset,
            sort=_INDEX_SORTS[self.order],
            filters=Filters(tuple(self.values), self.year_from, self.year_to),
            facets=facets,
            facet_limit=FACET_VALUES,
            year_limit=YEARS,
            as_typed=self.as_typed,
        )

    def parameters(self) -> list[tuple[str, str]]:
        """Whatever differs from the default, in a fixed order."""
        pairs: list[tuple[str, str]] = [("q", self.q)] if self.q else []
        pairs += self.values
        pairs += [(name, str(year)) for name in ("year_from", "year_to") if (year := getattr(self, name)) is not None]
        pairs += [("sort", self.sort)] if self.sort else []
        pairs += [("as_typed", "1")] if self.as_typed else []
        return pairs + ([("page", str(self.page))] if self.page > 1 else [])

    def query_string(self) -> str:
        return urlencode(self.parameters())

    @property
    def url(self) -> str:
        return self.address(reverse("search"))

    def address(self, path: str) -> str:
        """The query at another path, such as that of a feed."""
        query = self.query_string()
        return f"{path}?{query}" if query else path


def read_list_query(given: QueryDict) -> ListQuery:
    """The query in an address; InvalidInput names the parameter that makes no sense."""
    known: Mapping[str, object] = {
        name: tuple(dict.fromkeys(filter(None, given.getlist(name)))) if name in FACETS else given[name]
        for name in ListQuery.model_fields
        if name in given
    }
    filled = {name: value for name, value in known.items() if value != "" or name == "q"}
    try:
        return ListQuery.model_validate(filled)
    except ValidationError as error:
        raise invalid_input(error, list(ListQuery.model_fields)) from None
