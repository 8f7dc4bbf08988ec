"""Google Scholar through SerpAPI: needs a key; authors, venue and year come as one line of text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from paper_search.models import RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.queries import quoted
from paper_search.sources import fields
from paper_search.sources.http import SourceClient
from paper_search.sources.interface import Source, SourceError

PAGE_SIZE = 20


@dataclass
class SerpAPI(Source):
    takes: ClassVar = "operators"
    own_filters: ClassVar = frozenset({"year_from", "year_to", "authors", "venues", "excluded", "language_codes"})

    client: SourceClient
    api_key: str = ""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        if not self.api_key:
            raise SourceError("needs an API key")
        words = query.boolean_query.replace(" AND NOT ", " NOT ").replace(" AND ", " ").replace(" NOT ", " -")
        named = [*_any_of("author", filters.authors), *_any_of("source", filters.venues)]
        unwanted = [f"-intitle:{term}" for word in filters.excluded if (term := quoted(word))]
        params: dict[str, str | int] = {
            "engine": "google_scholar",
            "q": " ".join([words, *named, *unwanted]).strip(),
            "num": min(PAGE_SIZE, filters.max_results),
            "api_key": self.api_key,
        }
        if filters.language_codes:
            params["lr"] = "|".join(f"lang_{code}" for code in filters.language_codes)
        years = (("as_ylo", filters.year_from), ("as_yhi", filters.year_to))
        params |= {name: value for name, value in years if value}
        papers: list[RawPaper] = []
        for start in range(0, filters.max_results, PAGE_SIZE):
            answer = await self.client.get_json("/search", params | ({"start": start} if start else {}))
            if "organic_results" not in answer and fields.text(answer.get("error")):
                if "returned any results" in str(answer["error"]):
                    break
                raise SourceError("refused the query")
            items = list(fields.records(answer.get("organic_results")))
            papers += [paper for item in items if (paper := _paper(item))]
            if len(items) < PAGE_SIZE:
                break
        return papers[: filters.max_results]


def _any_of(field: str, names: Sequence[str]) -> list[str]:
    terms = [f"{field}:{term}" for name in names if (term := quoted(name))]
    return [f"({' OR '.join(terms)})" if len(terms) > 1 else terms[0]] if terms else []


def _paper(item: dict[str, object]) -> RawPaper | None:
    title, number = fields.text(item.get("title")), fields.text(item.get("result_id"))
    if not title or not number:
        return None
    about = fields.record(item.get("publication_info"))
    # `authors - venue, year - publisher`
    line = fields.text(about.get("summary")) or ""
    parts = line.split(" - ")
    names = [fields.text(author.get("name")) for author in fields.records(about.get("authors"))]
    year = re.search(r"\b((?:19|20)\d\d)\b(?= -|$)", line)
    cited = fields.record(fields.record(item.get("inline_links")).get("cited_by"))
    return RawPaper(
        id=f"scholar:{number}",
        title=title,
        authors=fields.authors(names or [part.strip(" …") for part in parts[0].split(",")]),
        snippet=fields.text(item.get("snippet")),
        year=int(year[1]) if year else None,
        venue=re.sub(r"(?:19|20)\d\d$", "", parts[1]).strip(" …,") or None if len(parts) > 1 else None,
        source="serpapi",
        citation_count=fields.number(cited.get("total")),
        full_text_url=fields.url(item.get("link")),
        # Scholar shows the first authors only.
        facts=SourceFacts(partial_authors=True),
    )
