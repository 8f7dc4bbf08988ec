"""What a reader asks of the list of papers: all of it stands in the address, and comes back from it."""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args
from urllib.parse import urlencode

from django.http import QueryDict
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from papercore import limits
from papercore.tool import invalid_input

Facet = Literal["venue", "keyword", "author", "institution", "tag", "template", "language", "has"]
Sort = Literal["relevance", "newest", "oldest", "title"]
FACETS: tuple[Facet, ...] = get_args(Facet)
SORTS: tuple[Sort, ...] = get_args(Sort)
HAS = ("source", "translation", "bibtex", "pdf")
PAGE_SIZE = 20
_LAST_PAGE = limits.OFFSET // PAGE_SIZE


def _blank_is_none(value: object) -> object:
    return None if value == "" else value


Year = Annotated[int | None, BeforeValidator(_blank_is_none), Field(ge=0, le=9999)]
Text = Annotated[str, Field(max_length=limits.QUERY_CHARS)]
Value = Annotated[str, Field(min_length=1, max_length=limits.QUERY_CHARS)]


class Wish(BaseModel):
    """One request for a list of papers. Every condition must hold."""

    model_config = ConfigDict(frozen=True)

    q: Text = ""
    venue: tuple[Value, ...] = Field((), max_length=limits.FILTERS)
    keyword: tuple[Value, ...] = Field((), max_length=limits.FILTERS)
    author: tuple[Value, ...] = Field((), max_length=limits.FILTERS)
    institution: tuple[Value, ...] = Field((), max_length=limits.FILTERS)
    tag: tuple[Value, ...] = Field((), max_length=limits.FILTERS)
    template: tuple[Value, ...] = Field((), max_length=limits.FILTERS)
    language: tuple[Value, ...] = Field((), max_length=limits.FILTERS)
    has: tuple[Literal["source", "translation", "bibtex", "pdf"], ...] = ()
    year_from: Year = None
    year_to: Year = None
    sort: Sort | None = None
    page: int = Field(1, ge=1, le=_LAST_PAGE)

    @property
    def order(self) -> Sort:
        """Best first where there are words to match, newest first elsewhere."""
        return self.sort or ("relevance" if self.q.strip() else "newest")

    @property
    def offset(self) -> int:
        return (self.page - 1) * PAGE_SIZE

    @property
    def values(self) -> list[tuple[Facet, str]]:
        """The facet values asked for, in the order of the facets."""
        return [(facet, value) for facet in FACETS for value in getattr(self, facet)]

    @property
    def narrowed(self) -> bool:
        return bool(self.values) or self.year_from is not None or self.year_to is not None

    def but(self, **changes: object) -> "Wish":
        """The same with changes, from its first page."""
        return self.model_copy(update={"page": 1, **changes})

    def toggled(self, facet: Facet, value: str) -> "Wish":
        now: tuple[str, ...] = getattr(self, facet)
        return self.but(**{facet: tuple(one for one in now if one != value) if value in now else (*now, value)})

    def without_filters(self) -> "Wish":
        return Wish(q=self.q, sort=self.sort)

    def parameters(self) -> list[tuple[str, str]]:
        """What is not as it would be without saying, in a fixed order."""
        pairs: list[tuple[str, str]] = [("q", self.q)] if self.q else []
        pairs += self.values
        pairs += [(name, str(year)) for name in ("year_from", "year_to") if (year := getattr(self, name)) is not None]
        pairs += [("sort", self.sort)] if self.sort else []
        return pairs + ([("page", str(self.page))] if self.page > 1 else [])

    def query_string(self) -> str:
        return urlencode(self.parameters())

    @property
    def url(self) -> str:
        return self.address("/papers/")

    def address(self, path: str) -> str:
        query = self.query_string()
        return f"{path}?{query}" if query else path


def read_wish(given: QueryDict) -> Wish:
    """The wish in an address; what cannot be one is an InvalidInput that names the parameter."""
    known: Mapping[str, object] = {
        name: tuple(dict.fromkeys(filter(None, given.getlist(name)))) if name in FACETS else given[name]
        for name in Wish.model_fields
        if name in given
    }
    blank = {name: value for name, value in known.items() if value != "" or name == "q"}
    try:
        return Wish.model_validate(blank)
    except ValidationError as error:
        raise invalid_input(error, list(Wish.model_fields)) from None
