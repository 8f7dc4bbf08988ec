"""Crossref: what publishers register; titles are lists, abstracts are JATS."""

import re
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote

from paper_search.models import PaperTag, RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.sources import fields
from paper_search.sources.http import SourceClient
from paper_search.sources.interface import Source
from papercore.bibliography.identifiers import Identifier
from papercore.bibliography.venues import VENUE_NAMES

PAGE_SIZE = 200
_DATES = ("published", "issued", "published-print", "published-online")
# Kinds of papers that are registered as such.
_TYPES = {PaperTag.thesis: "dissertation"}
# What is registered beside papers: figures and supplements of a paper, referees' reports, whole journals and volumes.
_NO_PAPERS = frozenset(
    {"component", "peer-review", "journal", "journal-issue", "journal-volume", "proceedings", "grant"}
)


@dataclass
class Crossref(Source):
    own_filters: ClassVar = frozenset({"year_from", "year_to"})

    client: SourceClient
    contact: str = ""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        params: dict[str, str | int] = {
            "query.bibliographic": " ".join(query.keywords),
            "rows": min(PAGE_SIZE, filters.max_results),
        }
        # Both rank by any of their words; who wrote a paper and where is checked in the answer.
        if filters.authors:
            params["query.author"] = " ".join(filters.authors)
        if filters.venues:
            params["query.container-title"] = " ".join(VENUE_NAMES.get(name.lower(), name) for name in filters.venues)
        narrowed = [f"type:{_TYPES[kind]}" for kind in filters.kinds if kind in _TYPES]
        years = (("from-pub-date", filters.year_from), ("until-pub-date", filters.year_to))
        narrowed += [f"{name}:{value}" for name, value in years if value]
        if narrowed:
            params["filter"] = ",".join(narrowed)
        if self.contact:
            params["mailto"] = self.contact
        papers: list[RawPaper] = []
        for offset in range(0, filters.max_results, PAGE_SIZE):
            answer = await self.client.get_json("/works", params | ({"offset": offset} if offset else {}))
            items = list(fields.records(fields.record(answer.get("message")).get("items")))
            papers += [paper for item in items if (paper := _paper(item))]
            if len(items) < PAGE_SIZE:
                break
        return papers[: filters.max_results]

    async def look_up(self, identifier: Identifier) -> RawPaper | None:
        params = {"mailto": self.contact} if self.contact else {}
        answer = await self.client.get_json(f"/works/{quote(identifier.value, safe='')}", params)
        return _paper(fields.record(answer.get("message")))


def _paper(item: dict[str, object]) -> RawPaper | None:
    title, subtitle = (fields.first_text(item.get(name)) for name in ("title", "subtitle"))
    doi = fields.doi(item.get("DOI"))
    if not title or not doi or item.get("type") in _NO_PAPERS:
        return None
    names = [
        fields.text(f"{fields.text(author.get('given')) or ''} {fields.text(author.get('family')) or ''}")
        or fields.text(author.get("name"))
        for author in fields.records(item.get("author"))
    ]
    abstract = fields.text(item.get("abstract"))
    dates = (fields.record(item.get(name)).get("date-parts") for name in _DATES)
    # Of the first date that has one; date-parts may be [[null]] or empty.
    year = next((found for date in dates if (found := fields.year(fields.first(fields.first(date))))), None)
    return RawPaper(
        id=f"doi:{doi}",
        doi=doi,
        # Some publishers write the subtitle into the title too.
        title=f"{title}: {subtitle}" if subtitle and subtitle.lower() not in title.lower() else title,
        authors=fields.authors(names),
        # Without the heading that many publishers put into the text.
        abstract=re.sub(r"^Abstract[:.]? (?=[A-Z])", "", abstract) if abstract else None,
        year=year,
        venue=fields.first_text(item.get("container-title")),
        source="crossref",
        citation_count=fields.number(item.get("is-referenced-by-count")),
        full_text_url=fields.url(item.get("URL")),
        facts=SourceFacts(
            language=fields.text(item.get("language")),
            retracted=any(update.get("type") == "retraction" for update in fields.records(item.get("updated-by"))),
            type=fields.text(item.get("type")),
            volume=fields.text(item.get("volume")),
            issue=fields.text(item.get("issue")),
            page=fields.text(item.get("page")),
            publisher=fields.text(item.get("publisher")),
        ),
    )
