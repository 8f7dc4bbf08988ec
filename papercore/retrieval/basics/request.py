"""What goes into an index and what comes out: documents, requests, and their results."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Literal

from msgspec import Struct, field

from papercore import limits
from papercore.bibliography.venues import venue_names
from papercore.errors import InvalidInput

# Hits that an index is asked for at once, and hits it may skip: it reserves memory for both, and the process ends when
# there is not enough.
INDEX_HITS = 10_000
INDEX_OFFSET = limits.OFFSET + limits.PAGE_SIZE
# Characters of a query to an index: as long as all keywords of a search strategy's query.
INDEX_QUERY_CHARS = 12_000
Mode = Literal["hybrid", "words", "meaning"]
# `year`: newest first.
Sort = Literal["relevance", "year", "oldest", "title"]
# Whether the documents answer a question: they do, they may, or none does.
Verdict = Literal["answered", "unsure", "nothing"]
# The same as tools say it.
Confidence = Literal["high", "low", "none"]
CONFIDENCE: dict[Verdict, Confidence] = {"answered": "high", "unsure": "low", "nothing": "none"}


def check_bounds(name: str, value: int, highest: int) -> None:
    if not 0 <= value <= highest:
        raise InvalidInput(f"{name}: must be from 0 to {highest}")


class Filters(Struct, frozen=True):
    """What every hit must match: a value of each facet in `values`, none of `without`, a year in the range."""

    values: tuple[tuple[str, str], ...] = ()
    year_from: int | None = None
    year_to: int | None = None
    without: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return self != NO_FILTERS

    @property
    def alternatives(self) -> dict[str, list[str]]:
        """By facet, the values of which a hit must have one; of a venue's acronym also what it stands for."""
        found: dict[str, list[str]] = {}
        for facet, value in self.values:
            found.setdefault(facet, []).extend(venue_names(value) if facet == "venue" else [value])
        return found

    @property
    def years(self) -> tuple[int | None, int | None]:
        """The first and the last year. A range that was given upside down means the same years."""
        first, last = self.year_from, self.year_to
        return (last, first) if first is not None and last is not None and first > last else (first, last)


NO_FILTERS = Filters()


class Request(Struct, frozen=True):
    """A search. `facets`: what to count over all hits; `as_typed`: slips in the query are not mended."""

    query: str
    limit: int = 20
    offset: int = 0
    mode: Mode = "hybrid"
    sort: Sort = "relevance"
    filters: Filters = NO_FILTERS
    facets: tuple[str, ...] = ()
    facet_limit: int = 20
    year_limit: int = 20
    as_typed: bool = False

    def __post_init__(self) -> None:
        """InvalidInput for what the engine could not reserve memory for or represent."""
        check_bounds("limit", self.limit, INDEX_HITS)
        check_bounds("offset", self.offset, INDEX_OFFSET)
        check_bounds("facet_limit", self.facet_limit, INDEX_HITS)
        check_bounds("year_limit", self.year_limit, INDEX_HITS)
        check_bounds("year_from", self.filters.year_from or 0, limits.LAST_YEAR)
        check_bounds("year_to", self.filters.year_to or 0, limits.LAST_YEAR)
        if len(self.query) > INDEX_QUERY_CHARS:
            raise InvalidInput(f"query: must have at most {INDEX_QUERY_CHARS} characters")

    def counted(self, facet: str) -> int:
        """How many values of a facet are returned, the commonest ones."""
        return self.year_limit if facet == "year" else self.facet_limit


class PassageRequest(Struct, frozen=True):
    """A search for passages: of the documents that the query and the filters find, or of these alone.

    By words; by meaning, the passages of the best documents are answered, whatever their words. `as_typed`: no words
    are read as conditions, nor in documents that are named.
    """

    query: str
    limit: int
    filters: Filters = NO_FILTERS
    documents: tuple[str, ...] = ()
    by_meaning: bool = False
    as_typed: bool = False


class PassageCandidate(Struct, frozen=True):
    """A passage that may answer a query, by its payload, and how well its document fits, from 0 to 1."""

    payload: bytes
    fit: float


class Hit(Struct, frozen=True):
    """A document that was found. `matched`: where its words were found, and `meaning` if it was found by meaning."""

    id: str
    title: str
    # The title with the words of the query between [[[ and ]]].
    marked_title: str
    # From 0 to 1: how likely it is that the question is answered here, times the share of the best hit's score. None
    # unless hits are ordered by relevance.
    score: float | None
    # The words of the query are between [[[ and ]]].
    snippet: str
    matched: tuple[str, ...]
    payload: bytes


class Count(Struct, frozen=True):
    """How many of the hits have a value."""

    value: str
    count: int


class Completion(Struct, frozen=True):
    """A title or facet value that matches what was typed, its kind, and the number of documents with it."""

    kind: str
    value: str
    count: int


class Understood(Struct, frozen=True):
    """What was read as the name of something, of authors, or as a year; the papers that it names come first."""

    introduced: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    # The words that all hits meet: an author's, and years.
    only: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != NOTHING_UNDERSTOOD


NOTHING_UNDERSTOOD = Understood()


class Results(Struct, frozen=True):
    """A page of hits, and the counts over all hits."""

    hits: tuple[Hit, ...]
    # The hits that bear on the question. Pages go on behind them with those that only share a word with it ...
    total: int
    # How the search was carried out: a quoted phrase is looked up by words whatever mode was asked for.
    mode: Mode
    facets: Mapping[str, tuple[Count, ...]] = field(default_factory=dict)
    # Where nothing answers the question: the documents nearest to it, which are no hits.
    nearest: tuple[Hit, ...] = ()
    verdict: Verdict = "answered"
    # ... of which there are so many.
    beyond: int = 0
    # The query that was answered, where slips in the one asked were mended.
    corrected_query: str = ""
    understood: Understood = NOTHING_UNDERSTOOD


class PassageEntry(Struct, frozen=True):
    """A passage of a document: a few sentences that are found by themselves, and the headings above them."""

    text: str
    headings: str = ""
    # Returned when it is found, as it is: it tells where the passage is.
    payload: bytes = b""


class Document(Struct, frozen=True):
    """Something to be found. `text` is searched by words and meaning, `body` by words only."""

    id: str
    title: str
    text: str = ""
    body: str = ""
    year: int | None = None
    identifiers: tuple[str, ...] = ()
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Returned with each hit as it is.
    payload: bytes = b""
    passages: Sequence[PassageEntry] = ()

    def digest(self) -> bytes:
        """Changes exactly when the document's meaning may have changed."""
        return blake2b(f"{self.title}\0{self.text}".encode("utf-8", "replace"), digest_size=16).digest()
