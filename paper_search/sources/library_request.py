"""What a search asks of a library's index: the words of a query within its years, authors and venues."""

from collections.abc import Sequence
from itertools import product

from paper_search.models import SearchConstraints, SearchQuery
from paper_search.text import words
from papercore import limits
from papercore.retrieval import Filters, Request

# Each pair of an author and a venue is a request of its own.
MAX_REQUESTS = 12
# Papers that are read to learn how a library uses a phrase.
MENTIONS = 40


def mentions_request(phrases: Sequence[str]) -> Request:
    """The papers that have all of the phrases as they are."""
    return Request(" ".join(f'"{" ".join(words(phrase))}"' for phrase in phrases), limit=MENTIONS, mode="words")


def library_requests(query: SearchQuery, filters: SearchConstraints) -> list[Request]:
    """One request for each author and venue; a paper needs only one of them."""
    text = _text(query, filters)
    pairs = product(filters.authors or [""], filters.venues or [""])
    return [
        Request(
            text,
            limit=min(filters.max_results, limits.INDEX_HITS),
            sort="relevance" if text.strip() else "year",
            filters=_filters(author, venue, filters),
        )
        for author, venue in list(pairs)[:MAX_REQUESTS]
    ]


def _filters(author: str, venue: str, filters: SearchConstraints) -> Filters:
    values = tuple((facet, value) for facet, value in (("author", author), ("venue", venue)) if value)
    return Filters(values=values, year_from=filters.year_from, year_to=filters.year_to)


def _text(query: SearchQuery, filters: SearchConstraints) -> str:
    """The query's words with what was learned; none where it only repeats names, which are filters already."""
    text = " ".join(query.keywords)
    named = {word for name in (*filters.authors, *filters.venues) for word in words(name)} | {"and", "or"}
    if named and all(word in named for word in words(text)):
        text = ""
    # A word that is repeated counts more: the question's own count three times as much as those learned.
    text = " ".join((text, text, text, *filters.more_like)) if filters.more_like else text
    return text[: limits.INDEX_QUERY_CHARS]
