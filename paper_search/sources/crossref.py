"""Crossref: what publishers register; titles are lists, abstracts are JATS."""

import re
from dataclasses import dataclass

from paper_search.models import RawPaper, SearchConstraints, SearchQuery
from paper_search.sources import fields
from paper_search.sources.http import SourceClient

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
        raw_data={"language": language} if language else {},
    )


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
