"""What plain words ask of authors and years, as `by Graham Neubig since 2016`: read as filters, and told apart."""

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from papercore.retrieval.basics import analysis, query
from papercore.retrieval.basics.request import Filters, Request
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import WordQuery
from papercore.retrieval.ranking.known_items import AUTHOR, AUTHOR_SHARE, author_share
from papercore.text import REQUEST_WORDS

# Spellings of one name that are looked for.
MOST_SPELLINGS = 300
_YEAR = r"((?:19|20)\d\d)\b"
YEARS = re.compile(
    rf"\b(?:(?:from|between) {_YEAR} (?:to|and|until|-) {_YEAR}"
    rf"|since {_YEAR}|after {_YEAR}|until {_YEAR}|before {_YEAR})",
    re.IGNORECASE,
)
# A name ends where the query does, or where it goes on with years.
_BY = re.compile(
    r"\bby ((?:[^\W\d_][\w.'’-]* ){0,3}[^\W\d_][\w.'’-]*)"
    r"(?= *(?:$|\||(?:from|between|since|after|until|before) \d))",
    re.IGNORECASE,
)
_TAKEN = "|"


class Conditions(Struct, frozen=True):
    """Filters, the words that say so, and the query without them."""

    filters: Filters
    said: tuple[str, ...]
    rest: str


def with_conditions(generation: Generation, request: Request) -> tuple[Request, tuple[str, ...]]:
    """The request with the authors and years that its words name as filters, and these words.

    Years that no paper is of count beside an author or as a beginning; else they may be what the question is about.
    Whoever writes a field, a phrase, an operator or a title means what is written, and a filter that is set stays.
    """
    node = query.parse(request.query, (fields.TITLE, *generation.manifest.facets))
    if request.as_typed or not query.is_plain(node) or _TAKEN in request.query:
        return request, ()
    given, text = request.filters, " ".join(request.query.split())
    years = None if given.years != (None, None) else _years(text)
    by = None if AUTHOR in given.alternatives else _author(generation, years.rest if years else text)
    found = by or years
    if by and years:
        found = Conditions(_joined(by.filters, years.filters), (*by.said, *years.said), by.rest)
    if found is None or generation.words.has_title(request.query):
        return request, ()
    may_be_topic = by is None and found.filters.year_to is not None
    if may_be_topic and not generation.words.count(WordQuery(None, found.filters)):
        return request, ()
    return _asked(request, found), found.said


def _asked(request: Request, found: Conditions) -> Request:
    """The rest of the words within the conditions; where it says nothing, the newest first."""
    words = found.rest.replace(_TAKEN, " ").split()
    if all(analysis.is_stop_word(word) or analysis.value_key(word) in REQUEST_WORDS for word in words):
        words = []
    sort = "year" if not words and request.sort == "relevance" else request.sort
    return replace(request, query=" ".join(words), filters=_joined(request.filters, found.filters), sort=sort)


def _joined(first: Filters, second: Filters) -> Filters:
    years = second if second.years != (None, None) else first
    return Filters(first.values + second.values, *years.years, without=first.without)


def _years(text: str) -> Conditions | None:
    match = YEARS.search(text)
    if match is None:
        return None
    first, last, since, after, until, before = (int(year) if year else None for year in match.groups())
    found = Filters(year_from=first or since or (after and after + 1), year_to=last or until or (before and before - 1))
    return Conditions(found, (match[0],), text[: match.start()] + _TAKEN + text[match.end() :])


def _author(generation: Generation, text: str) -> Conditions | None:
    """An author that the library knows, by the whole name or a word that is mostly a name, in all spellings."""
    match = _BY.search(text)
    if match is None or AUTHOR not in generation.manifest.facets:
        return None
    asked = analysis.name_terms(match[1])
    if not asked or (len(asked) == 1 and author_share(generation, asked[0]) < AUTHOR_SHARE):
        return None
    names = [completion.value for completion in generation.words.complete(match[1], AUTHOR, MOST_SPELLINGS)]
    found = [name for name in names if set(asked) <= set(analysis.name_terms(name))]
    if not found:
        names = [completion.value for completion in generation.words.complete(asked[-1], AUTHOR, MOST_SPELLINGS)]
        found = [name for name in names if _may_be(asked, analysis.name_terms(name))]
    values = tuple((AUTHOR, name) for name in found)
    said = (match[0].strip(),)
    return Conditions(Filters(values), said, text[: match.start()] + _TAKEN + text[match.end() :]) if values else None


def _may_be(asked: Sequence[str], name: Sequence[str]) -> bool:
    """Whether a name has the family name that is asked for, and the others or their initials."""
    initials = {word[0] for word in name}
    return asked[-1] in name and all(word in name or word[0] in name or word in initials for word in asked[:-1])
