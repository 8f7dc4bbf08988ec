"""Europe PMC: life sciences; years are strings, abstracts are HTML, author lists may be missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from paper_search.models import PaperTag, RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.sources import fields
from paper_search.sources.http import SourceClient
from paper_search.sources.interface import Source
from paper_search.text import words
from papercore.bibliography.identifiers import Identifier

PAGE_SIZE = 100
# The service has languages by codes of three letters.
_LANGUAGES = {
    "en": "eng",
    "de": "ger",
    "fr": "fre",
    "es": "spa",
    "zh": "chi",
    "ja": "jpn",
    "ko": "kor",
    "ru": "rus",
    "pt": "por",
    "it": "ita",
}


@dataclass
class EuropePMC(Source):
    takes: ClassVar = "operators"
    own_filters: ClassVar = frozenset(
        {"year_from", "year_to", "authors", "venues", "excluded", "excluded_authors", "language_codes"}
    )

    client: SourceClient

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        text = _query(query.boolean_query, filters)
        papers: list[RawPaper] = []
        mark: object = "*"
        seen: set[object] = set()
        while isinstance(mark, str) and mark and mark not in seen and len(papers) < filters.max_results:
            seen.add(mark)
            page = await self._page(text, pageSize=min(PAGE_SIZE, filters.max_results), cursorMark=mark)
            found = _papers(page)
            papers += found
            mark = page.get("nextCursorMark") if found else None
        return papers[: filters.max_results]

    async def look_up(self, identifier: Identifier) -> RawPaper | None:
        named = {"doi": f'DOI:"{identifier.value}"', "pmcid": f"PMCID:{identifier.value}"}
        query = named.get(identifier.kind, f"EXT_ID:{identifier.value} AND SRC:MED")
        return next(iter(_papers(await self._page(query, pageSize=1))), None)

    async def _page(self, query: str, **params: str | int) -> dict[str, object]:
        return await self.client.get_json("/search", {"query": query, "format": "json", "resultType": "core", **params})


def _query(text: str, filters: SearchConstraints) -> str:
    """The words and the plan in the fields of the service."""
    parts = [f"({text})"] if text else []
    if filters.year_from or filters.year_to:
        parts.append(f"PUB_YEAR:[{filters.year_from or 1000} TO {filters.year_to or 2999}]")
    parts += _any_field("AUTH", filters.authors) + _any_field("JOURNAL", filters.venues)
    parts += _any_field("LANG", [_LANGUAGES[code] for code in filters.language_codes if code in _LANGUAGES])
    if filters.kinds == [PaperTag.review]:
        parts.append('PUB_TYPE:"Review"')
    without = _any_field("TITLE", filters.excluded) + _any_field("AUTH", filters.excluded_authors)
    if PaperTag.review in filters.excluded_kinds:
        without.append('PUB_TYPE:"Review"')
    return " NOT ".join([" AND ".join(parts), *without])


def _any_field(field: str, values: Sequence[str]) -> list[str]:
    terms = [f'{field}:"{" ".join(words(value))}"' for value in values if words(value)]
    return [terms[0] if len(terms) == 1 else f"({' OR '.join(terms)})"] if terms else []


def _papers(page: dict[str, object]) -> list[RawPaper]:
    items = fields.records(fields.record(page.get("resultList")).get("result"))
    return [paper for item in items if (paper := _paper(item))]


def _paper(item: dict[str, object]) -> RawPaper | None:
    title, number = fields.text(item.get("title")), fields.text(item.get("id"))
    if not title or not number:
        return None
    names: list[str | None] = []
    for author in fields.records(fields.record(item.get("authorList")).get("author")):
        first, last = fields.text(author.get("firstName")), fields.text(author.get("lastName"))
        # `fullName` has initials only.
        name = f"{first} {last}" if first and last else fields.text(author.get("fullName"))
        names.append(name or fields.text(author.get("collectiveName")))
    line = fields.text(item.get("authorString")) or ""
    journal = fields.record(fields.record(item.get("journalInfo")).get("journal"))
    links = fields.records(fields.record(item.get("fullTextUrlList")).get("fullTextUrl"))
    kinds = fields.record(item.get("pubTypeList")).get("pubType")
    return RawPaper(
        id=f"europepmc:{fields.text(item.get('source')) or 'MED'}:{number}",
        doi=fields.doi(item.get("doi")),
        title=title.removesuffix("."),
        authors=fields.authors(names or [part.strip(" .") for part in line.split(",")]),
        abstract=fields.text(item.get("abstractText")),
        year=fields.year(item.get("pubYear")),
        venue=fields.text(journal.get("title")),
        source="europe_pmc",
        citation_count=fields.number(item.get("citedByCount")),
        full_text_url=next((found for link in links if (found := fields.url(link.get("url")))), None),
        facts=SourceFacts(
            retracted=isinstance(kinds, list) and any(str(kind).lower() == "retracted publication" for kind in kinds)
        ),
    )
