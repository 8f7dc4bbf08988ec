"""arXiv: an Atom feed; ids have versions, venues are free text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar
from xml.etree import ElementTree

from paper_search.domains import Domain
from paper_search.models import RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.queries import OPERATORS, quoted, tokens
from paper_search.sources import fields
from paper_search.sources.http import SourceClient
from paper_search.sources.interface import Source, SourceError

PAGE_SIZE = 200
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"


@dataclass
class Arxiv(Source):
    takes: ClassVar = "operators"
    own_filters: ClassVar = frozenset({"year_from", "year_to", "authors", "venues", "excluded", "excluded_authors"})
    unsupported_filters: ClassVar = ("language_codes",)

    client: SourceClient
    domain: Domain

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        words = with_prefix(query.boolean_query, "all:")
        parts = [f"({words})"] if words else []
        parts += _any_field(("au:",), filters.authors)
        # Where it was published stands in the journal reference, or where it was accepted in the authors' comment.
        parts += _any_field(("jr:", "co:"), filters.venues)
        if self.domain.arxiv:
            categories = (f"cat:{name}" if "." in name else f"cat:{name}*" for name in self.domain.arxiv)
            parts.append(f"({' OR '.join(categories)})")
        if filters.year_from or filters.year_to:
            parts.append(f"submittedDate:[{filters.year_from or 1990}01010000 TO {filters.year_to or 2999}12312359]")
        # Only in the title: an abstract that mentions a thing need not be about it.
        without = [f" ANDNOT {part}" for part in _any_field(("ti:",), filters.excluded)]
        without += [f" ANDNOT {part}" for part in _any_field(("au:",), filters.excluded_authors)]
        papers: list[RawPaper] = []
        for start in range(0, filters.max_results, PAGE_SIZE):
            params: dict[str, str | int] = {
                "search_query": " AND ".join(parts) + "".join(without),
                "start": start,
                "max_results": min(PAGE_SIZE, filters.max_results - start),
                "sortBy": "relevance",
            }
            entries = _entries(await self.client.get_text("/api/query", params))
            papers += [paper for entry in entries if (paper := _paper(entry))]
            if len(entries) < PAGE_SIZE:
                break
        return papers

    async def look_up_many(self, numbers: Sequence[str]) -> dict[str, RawPaper]:
        """Papers by their numbers, in one request: the service wants three seconds between two."""
        feed = await self.client.get_text("/api/query", {"id_list": ",".join(numbers), "max_results": len(numbers)})
        papers = (paper for entry in _entries(feed) if (paper := _paper(entry)))
        return {paper.id.removeprefix("arxiv:").lower(): paper for paper in papers}


def _any_field(prefixes: Sequence[str], values: Sequence[str]) -> list[str]:
    """One condition that any of the values meets in any of the fields; none without values."""
    terms = [f"{prefix}{term}" for value in values if (term := quoted(value)) for prefix in prefixes]
    return [f"({' OR '.join(terms)})"] if terms else []


def with_prefix(query: str, prefix: str) -> str:
    """A boolean query in arXiv's syntax: each term with a field's name before it."""
    marked = " ".join(part if part in (*OPERATORS, "(", ")") else prefix + part for part in tokens(query))
    joined = marked.replace("( ", "(").replace(" )", ")")
    return joined.replace(" AND NOT ", " NOT ").replace(" NOT ", " ANDNOT ")


def _entries(text: str) -> list[ElementTree.Element]:
    no_feed = SourceError("answered with something that is not a feed")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise no_feed
    try:
        # Entities, the danger in untrusted XML, were refused above.
        feed = ElementTree.fromstring(text)  # noqa: S314
    except ElementTree.ParseError as error:
        raise no_feed from error
    if feed.tag != f"{_ATOM}feed":
        raise no_feed
    return feed.findall(f"{_ATOM}entry")


def _paper(entry: ElementTree.Element) -> RawPaper | None:
    address, title = _text(entry, f"{_ATOM}id") or "", _text(entry, f"{_ATOM}title")
    if "/api/errors" in address:
        raise SourceError("refused the query")
    number = re.sub(r"v\d+$", "", address.partition("/abs/")[2])
    if not title or not number:
        return None
    return RawPaper(
        id=f"arxiv:{number}",
        doi=fields.doi(_text(entry, f"{_ARXIV}doi")),
        title=title,
        authors=fields.authors(_text(author, f"{_ATOM}name") for author in entry.findall(f"{_ATOM}author")),
        abstract=_text(entry, f"{_ATOM}summary"),
        year=fields.year(_text(entry, f"{_ATOM}published")),
        venue=_text(entry, f"{_ARXIV}journal_ref") or "arXiv",
        source="arxiv",
        full_text_url=f"https://arxiv.org/abs/{number}",
        facts=SourceFacts(arxiv_id=number),
    )


def _text(element: ElementTree.Element, name: str) -> str | None:
    found = element.find(name)
    # A feed's texts have no markup: `<` is a sign, as in "p < 0.05", so `fields.text` would cut too much.
    return " ".join((found.text or "").split()) or None if found is not None else None
