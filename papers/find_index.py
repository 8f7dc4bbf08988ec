"""Lists and counts from the search index: by words and by meaning, with the filters and counts in one pass."""

import orjson

from paper_search.retrieval import Filters, Hit, Index, Request
from papers.find_tables import FACET_VALUES, Counts, Listed, Place
from papers.schemas import FacetValue
from papers.wish import FACETS, Wish

# More distinct years than any library has; other facets are cut to what a page shows.
COUNTED = 400
_ORDERS = {"newest": "year", "oldest": "oldest", "title": "title", "relevance": "relevance"}
_PLACES = {"text": "summary", "body": "full text"}


def listed(index: Index, wish: Wish, limit: int, offset: int) -> Listed:
    results = index.search(_request(wish, limit, offset))
    return Listed([_place(hit) for hit in results.hits], results.total)


def listed_and_counted(index: Index, wish: Wish, limit: int, offset: int) -> tuple[Listed, Counts]:
    """A page with its counts; those by year leave the wish's own years aside."""
    results = index.search(_request(wish, limit, offset, (*FACETS, "year")))
    counts = results.facets
    if wish.year_from is not None or wish.year_to is not None:
        all_years = wish.but(year_from=None, year_to=None)
        years = index.search(_request(all_years, 1, 0, ("year",))).facets["year"]
    else:
        years = counts["year"]
    facets = {
        facet: [FacetValue(value=one.value, paper_count=one.count) for one in counts[facet][:FACET_VALUES]]
        for facet in FACETS
    }
    by_year = {int(one.value): one.count for one in years}
    return Listed([_place(hit) for hit in results.hits], results.total), Counts(facets, dict(sorted(by_year.items())))


def _request(wish: Wish, limit: int, offset: int, facets: tuple[str, ...] = ()) -> Request:
    return Request(
        query=wish.q,
        limit=limit,
        offset=offset,
        sort=_ORDERS[wish.order],  # type: ignore[arg-type]  # the values are its literals
        filters=Filters(tuple(wish.values), wish.year_from, wish.year_to),
        facets=facets,
        facet_limit=COUNTED,
    )


def _place(hit: Hit) -> Place:
    authors = orjson.loads(hit.payload).get("authors", [])
    return Place(hit.id, hit.snippet, why(hit.matched), tuple(authors))


def why(matched: tuple[str, ...]) -> str:
    """Where the words were found, and whether the sense was."""
    places = [_PLACES.get(one, one) for one in matched if one != "meaning"]
    parts = [f"words in {', '.join(places)}"] if places else []
    return " · ".join([*parts, *(["meaning"] if "meaning" in matched else [])])
