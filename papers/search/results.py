"""The list of papers that fits a wish, with counts by facet and year: the one function behind the search page."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from papercore.retrieval import Count, Filters, Hit, Request
from papers.catalogue import names
from papers.models import Paper
from papers.schemas import FacetValue
from papers.search import engine
from papers.search.fallback.conditions import LINKS, normalised
from papers.search.list_query import FACETS, PAGE_SIZE, Facet, Wish
from papers.search.paging import number
from papers.snapshot.served import connection, reading

# Values of a facet that a page may show.
FACET_VALUES = 12
# More distinct years than any library has.
YEARS = 400
_ORDERS = {"newest": "year", "oldest": "oldest", "title": "title", "relevance": "relevance"}
_COLUMNS = ("pk", "title", "year", "venue", "summary_preview", "source_md_content_hash", "pdf_content_hash")
_OWNED = """
WITH shown (paper_id) AS (SELECT value FROM json_each(%s))
SELECT paper_id, 'template', template_tag FROM shown JOIN paper_summary USING (paper_id)
UNION ALL SELECT paper_id, 'language', lang FROM shown JOIN paper_translation USING (paper_id)
UNION ALL SELECT paper_id, 'bibtex', '' FROM shown JOIN paper_bibtex USING (paper_id)
"""
_PLACES = {"text": "summary", "body": "full text"}


@dataclass(frozen=True)
class Place:
    """Where a paper stands in a list, before its row is read."""

    paper_id: str
    snippet: str = ""
    why: str = ""
    authors: tuple[str, ...] = ()


@dataclass(frozen=True)
class FoundPaper:
    """A paper in a list, with what the list shows of it."""

    paper_id: str
    title: str
    year: int | None
    venue: str
    authors: list[str]
    # [[[ and ]]] stand around what matched.
    snippet: str
    why: str = ""
    templates: int = 0
    languages: list[str] = field(default_factory=list)
    has_source: bool = False
    has_bibtex: bool = False
    has_pdf: bool = False


@dataclass(frozen=True)
class Found:
    """One page of a list, and what was counted over all of it."""

    papers: list[FoundPaper]
    total: int
    facets: dict[Facet, list[FacetValue]]
    years: dict[int, int]

    @property
    def pages(self) -> int:
        return -(-self.total // PAGE_SIZE)


def find(wish: Wish, counted: tuple[Facet, ...] = FACETS) -> Found:
    """One page of the papers that fit; the counts by year leave the wish's own years aside."""
    with reading():
        used = engine.searcher()
        results = used.search(_request(wish, PAGE_SIZE, wish.offset, (*counted, "year")))
        years = results.facets["year"]
        if wish.year_from is not None or wish.year_to is not None:
            all_years = wish.but(year_from=None, year_to=None)
            years = used.search(_request(all_years, 1, 0, ("year",))).facets["year"]
        facets = {facet: _shown_values(facet, results.facets[facet]) for facet in counted}
        return Found(shown([_place(hit) for hit in results.hits]), results.total, facets, _by_year(years))


def count(wish: Wish) -> int:
    with reading():
        return engine.searcher().search(_request(wish, 1, 0)).total


def neighbours(wish: Wish, position: int) -> tuple[str | None, str | None]:
    """The ids before and after a place of the list; places count from 1."""
    start = max(0, position - 2)
    with reading():
        ids = [hit.id for hit in engine.searcher().search(_request(wish, 3, start)).hits]
    here = position - 1 - start
    before = ids[here - 1] if here > 0 and len(ids) >= here else None
    return before, ids[here + 1] if len(ids) > here + 1 else None


def _request(wish: Wish, limit: int, offset: int, facets: tuple[str, ...] = ()) -> Request:
    return Request(
        query=wish.q,
        limit=limit,
        offset=offset,
        sort=_ORDERS[wish.order],  # type: ignore[arg-type]  # the values are its literals
        filters=Filters(tuple(wish.values), wish.year_from, wish.year_to),
        facets=facets,
        facet_limit=FACET_VALUES,
        year_limit=YEARS,
    )


def _place(hit: Hit) -> Place:
    return Place(hit.id, hit.snippet, why(hit.matched), tuple(orjson.loads(hit.payload).get("authors", [])))


def why(matched: tuple[str, ...]) -> str:
    """Where the words were found, and whether the sense was."""
    places = [_PLACES.get(one, one) for one in matched if one != "meaning"]
    parts = [f"words in {', '.join(places)}"] if places else []
    return " · ".join([*parts, *(["meaning"] if "meaning" in matched else [])])


def _shown_values(facet: Facet, counts: Sequence[Count]) -> list[FacetValue]:
    """The values as addresses have them: whichever way a name was written when a link was made, it is the same link."""
    as_linked = normalised if facet in LINKS else str
    return [FacetValue(value=as_linked(one.value), paper_count=one.count) for one in counts]


def _by_year(counts: Sequence[Count]) -> dict[int, int]:
    known = {year: one.count for one in counts if (year := number(one.value)) is not None}
    return dict(sorted(known.items()))


def shown(places: list[Place]) -> list[FoundPaper]:
    """The papers at these places, in their order."""
    ids = [place.paper_id for place in places]
    rows = {str(row[0]): row for row in Paper.objects.filter(pk__in=ids).values_list(*_COLUMNS)}
    authors = names.authors([place.paper_id for place in places if not place.authors])
    owned = _owned(ids)
    return [
        FoundPaper(
            paper_id=place.paper_id,
            title=row[1],
            year=number(row[2]),
            venue=row[3],
            authors=list(place.authors) or authors.get(place.paper_id, []),
            snippet=place.snippet or row[4],
            why=place.why,
            templates=len(owned[place.paper_id, "template"]),
            languages=sorted(owned[place.paper_id, "language"]),
            has_source=bool(row[5]),
            has_bibtex=bool(owned[place.paper_id, "bibtex"]),
            has_pdf=bool(row[6]),
        )
        for place in places
        if (row := rows.get(place.paper_id))
    ]


def _owned(ids: list[str]) -> dict[tuple[str, str], list[str]]:
    """What belongs to these papers, by paper and kind."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    with connection().cursor() as cursor:
        for paper_id, kind, value in cursor.execute(_OWNED, [json.dumps(ids)]).fetchall():
            found[paper_id, kind].append(value)
    return found
