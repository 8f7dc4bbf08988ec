"""Google Scholar through SerpAPI: needs a key; authors, venue and year come as one line of text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from paper_search.models import RawPaper, SearchConstraints, SearchQuery
from paper_search.sources import fields
from paper_search.sources.errors import SourceError
from paper_search.sources.http import SourceClient

PAGE_SIZE = 20


@dataclass
class SerpAPI:
    takes_operators: ClassVar = True

    client: SourceClient
    api_key: str = ""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        if not self.api_key:
            raise SourceError("needs an API key")
        papers: list[RawPaper] = []
        for start in range(0, filters.max_results, PAGE_SIZE):
            answer = await self.client.get_json("/search", self._params(query, filters, start))
            if "organic_results" not in answer and fields.text(answer.get("error")):
                if "returned any results" in str(answer["error"]):
                    break
                raise SourceError("refused the query")
            items = list(fields.records(answer.get("organic_results")))
            papers += [paper for item in items if (paper := _paper(item))]
            if len(items) < PAGE_SIZE:
                break
        return papers[: filters.max_results]

    def _params(self, query: SearchQuery, filters: SearchConstraints, start: int) -> dict[str, str | int]:
        params: dict[str, str | int] = {
            "engine": "google_scholar",
            "q": query.boolean_query.replace(" AND NOT ", " NOT ").replace(" AND ", " ").replace(" NOT ", " -"),
            "num": min(PAGE_SIZE, filters.max_results),
            "api_key": self.api_key,
        }
        if start:
            params["start"] = start
        if filters.language:
            params["lr"] = f"lang_{filters.language.lower()}"
        years = (("as_ylo", filters.year_from), ("as_yhi", filters.year_to))
        return params | {name: value for name, value in years if value}


def _paper(item: dict[str, object]) -> RawPaper | None:
    title, number = fields.text(item.get("title")), fields.text(item.get("result_id"))
    if not title or not number:
        return None
    about = fields.record(item.get("publication_info"))
    line = fields.text(about.get("summary")) or ""
    cited = fields.record(fields.record(item.get("inline_links")).get("cited_by"))
    return RawPaper(
        id=f"scholar:{number}",
        title=title,
        authors=fields.authors(_names(about, line)),
        snippet=fields.text(item.get("snippet")),
        year=_year(line),
        venue=_venue(line),
        source="serpapi",
        citation_count=fields.number(cited.get("total")),
        full_text_url=fields.url(item.get("link")),
        # Scholar shows the first authors only.
        raw_data={"partial_authors": True},
    )


def _names(about: dict[str, object], line: str) -> Iterator[str | None]:
    listed = [fields.text(author.get("name")) for author in fields.records(about.get("authors"))]
    return iter(listed or [part.strip(" …") for part in line.partition(" - ")[0].split(",")])


def _year(line: str) -> int | None:
    found = re.search(r"\b((?:19|20)\d\d)\b(?= -|$)", line)
    return int(found[1]) if found else None


def _venue(line: str) -> str | None:
    """The middle of `authors - venue, year - publisher`."""
    parts = line.split(" - ")
    name = re.sub(r"(?:19|20)\d\d$", "", parts[1]).strip(" …,") if len(parts) > 1 else ""
    return name or None
