"""Crossref: what publishers register; titles are lists, abstracts are JATS."""

import re
from dataclasses import dataclass
from urllib.parse import quote

from paper_search.models import RawPaper, SearchConstraints, SearchQuery
from paper_search.sources import fields
from paper_search.sources.http import SourceClient
from papercore.bibliography.identifier_list import Identifier

PAGE_SIZE = 200
# What is registered beside papers: figures and supplements of a paper, referees' reports, whole journals and volumes.
_NO_PAPERS = frozenset(
    {"component", "peer-review", "journal", "journal-issue", "journal-volume", "proceedings", "grant"}
)


@dataclass
class Crossref:
    client: SourceClient
    contact: str = ""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        papers: list[RawPaper] = []
        for offset in range(0, filters.max_results, PAGE_SIZE):
            answer = await self.client.get_json("/works", self._params(query, filters, offset))
            items = list(fields.records(fields.record(answer.get("message")).get("items")))
            papers += [paper for item in items if (paper := _paper(item))]
            if len(items) < PAGE_SIZE:
                break
        return papers[: filters.max_results]

    async def look_up(self, identifier: Identifier) -> RawPaper | None:
        params = {"mailto": self.contact} if self.contact else {}
        answer = await self.client.get_json(f"/works/{quote(identifier.value, safe='')}", params)
        item = fields.record(answer.get("message"))
        paper = _paper(item)
        return paper and paper.model_copy(update={"raw_data": {**paper.raw_data, **_imprint(item)}})

    def _params(self, query: SearchQuery, filters: SearchConstraints, offset: int) -> dict[str, str | int]:
        params: dict[str, str | int] = {
            "query.bibliographic": " ".join(query.keywords),
            "rows": min(PAGE_SIZE, filters.max_results),
        }
        if offset:
            params["offset"] = offset
        years = [
            f"{name}:{value}"
            for name, value in (("from-pub-date", filters.year_from), ("until-pub-date", filters.year_to))
            if value
        ]
        if years:
            params["filter"] = ",".join(years)
        if self.contact:
            params["mailto"] = self.contact
        return params


def _paper(item: dict[str, object]) -> RawPaper | None:
    title, doi = fields.first_text(item.get("title")), fields.doi(item.get("DOI"))
    if not title or not doi or item.get("type") in _NO_PAPERS:
        return None
    language = fields.text(item.get("language"))
    return RawPaper(
        id=f"doi:{doi}",
        doi=doi,
        title=title,
        authors=fields.authors(_name(author) for author in fields.records(item.get("author"))),
        abstract=_abstract(item.get("abstract")),
        year=_year(item),
        venue=fields.first_text(item.get("container-title")),
        source="crossref",
        citation_count=fields.number(item.get("is-referenced-by-count")),
        full_text_url=fields.url(item.get("URL")),
        raw_data={**({"language": language} if language else {}), **({"retracted": True} if _retracted(item) else {})},
    )


def _imprint(item: dict[str, object]) -> dict[str, object]:
    """Where exactly it was published, by the names of CSL, which Crossref uses."""
    found = {name: fields.text(item.get(name)) for name in ("type", "volume", "issue", "page", "publisher")}
    return {name: value for name, value in found.items() if value}


def _retracted(item: dict[str, object]) -> bool:
    return any(update.get("type") == "retraction" for update in fields.records(item.get("updated-by")))


def _abstract(value: object) -> str | None:
    """Without the heading that many publishers put into the text."""
    found = fields.text(value)
    return re.sub(r"^Abstract[:.]? (?=[A-Z])", "", found) if found else None


def _name(author: dict[str, object]) -> str | None:
    parts = (fields.text(author.get("given")), fields.text(author.get("family")))
    return " ".join(part for part in parts if part) or fields.text(author.get("name"))


def _year(item: dict[str, object]) -> int | None:
    """The year of the first date that has one; date-parts may be [[null]] or empty."""
    for name in ("published", "issued", "published-print", "published-online"):
        parts = fields.record(item.get(name)).get("date-parts")
        first = parts[0] if isinstance(parts, list) and parts else None
        if isinstance(first, list) and first and (found := fields.year(first[0])):
            return found
    return None
