"""Europe PMC: life sciences; years are strings, abstracts are HTML, author lists may be missing."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from paper_search.models import PaperTag, RawPaper, SearchConstraints, SearchQuery
from paper_search.sources import fields
from paper_search.sources.http import SourceClient
from papercore.bibliography.identifier_list import Identifier

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
class EuropePMC:
    takes_operators: ClassVar = True

    client: SourceClient

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        papers: list[RawPaper] = []
        mark: object = "*"
        seen: set[object] = set()
        while isinstance(mark, str) and mark and mark not in seen and len(papers) < filters.max_results:
            seen.add(mark)
            page = await self.client.get_json("/search", _params(query, filters, mark))
            items = fields.records(fields.record(page.get("resultList")).get("result"))
            found = [paper for item in items if (paper := _paper(item))]
            papers += found
            mark = page.get("nextCursorMark") if found else None
        return papers[: filters.max_results]

    async def look_up(self, identifier: Identifier) -> RawPaper | None:
        named = {"doi": f'DOI:"{identifier.value}"', "pmcid": f"PMCID:{identifier.value}"}
        query = named.get(identifier.kind, f"EXT_ID:{identifier.value} AND SRC:MED")
        page = await self.client.get_json(
            "/search", {"query": query, "format": "json", "resultType": "core", "pageSize": 1}
        )
        items = fields.records(fields.record(page.get("resultList")).get("result"))
        return next((paper for item in items if (paper := _paper(item))), None)


def _params(query: SearchQuery, filters: SearchConstraints, mark: str) -> dict[str, str | int]:
    text = query.boolean_query
    if filters.year_from or filters.year_to:
        text = f"({text}) AND PUB_YEAR:[{filters.year_from or 1000} TO {filters.year_to or 2999}]"
    if PaperTag.review in filters.excluded_kinds:
        text = f'({text}) NOT PUB_TYPE:"Review"'
    if language := _LANGUAGES.get((filters.language or "").lower()):
        text = f"({text}) AND LANG:{language}"
    return {
        "query": text,
        "format": "json",
        "resultType": "core",
        "pageSize": min(PAGE_SIZE, filters.max_results),
        "cursorMark": mark,
    }


def _paper(item: dict[str, object]) -> RawPaper | None:
    title, number = fields.text(item.get("title")), fields.text(item.get("id"))
    if not title or not number:
        return None
    journal = fields.record(fields.record(item.get("journalInfo")).get("journal"))
    links = fields.records(fields.record(item.get("fullTextUrlList")).get("fullTextUrl"))
    return RawPaper(
        id=f"europepmc:{fields.text(item.get('source')) or 'MED'}:{number}",
        doi=fields.doi(item.get("doi")),
        title=title.removesuffix("."),
        authors=fields.authors(_names(item)),
        abstract=fields.text(item.get("abstractText")),
        year=fields.year(item.get("pubYear")),
        venue=fields.text(journal.get("title")),
        source="europe_pmc",
        citation_count=fields.number(item.get("citedByCount")),
        full_text_url=next((found for link in links if (found := fields.url(link.get("url")))), None),
        raw_data={"retracted": True} if "retracted publication" in _kinds(item) else {},
    )


def _kinds(item: dict[str, object]) -> list[str]:
    """What kind of publication it is, in lower case."""
    listed = fields.record(item.get("pubTypeList")).get("pubType")
    return [kind.lower() for kind in (listed if isinstance(listed, list) else []) if isinstance(kind, str)]


def _name(author: dict[str, object]) -> str | None:
    """First name and last name; `fullName` has initials only."""
    first, last = fields.text(author.get("firstName")), fields.text(author.get("lastName"))
    return f"{first} {last}" if first and last else fields.text(author.get("fullName"))


def _names(item: dict[str, object]) -> Iterator[str | None]:
    listed = [
        _name(author) or fields.text(author.get("collectiveName"))
        for author in fields.records(fields.record(item.get("authorList")).get("author"))
    ]
    line = fields.text(item.get("authorString")) or ""
    return iter(listed or [part.strip(" .") for part in line.split(",")])
