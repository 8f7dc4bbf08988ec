"""OpenAlex: works of all fields; pages by cursor, abstracts as inverted indexes, a daily budget."""

from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote

from paper_search.domains import Domain
from paper_search.models import PaperTag, RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.sources import fields
from paper_search.sources.http import SourceClient
from paper_search.sources.interface import Source
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX, Identifier

PAGE_SIZE = 100
_FIELDS = (
    "id,doi,display_name,title,publication_year,primary_location,authorships,abstract_inverted_index,cited_by_count,"
    "open_access,language,is_retracted"
)
# Kinds of papers that the service can leave out.
_TYPES = {PaperTag.review: "review", PaperTag.dataset: "dataset", PaperTag.thesis: "dissertation"}
# No abstract has a word at a later position.
MAX_ABSTRACT_WORDS = 10_000


@dataclass
class OpenAlex(Source):
    takes: ClassVar = "operators"

    client: SourceClient
    domain: Domain
    api_key: str = ""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        params: dict[str, str | int] = {
            "search": query.boolean_query,
            "per_page": min(PAGE_SIZE, filters.max_results),
            "select": _FIELDS,
        }
        narrowed: list[str] = []
        if filters.year_from:
            narrowed.append(f"from_publication_date:{filters.year_from}-01-01")
        if filters.year_to:
            narrowed.append(f"to_publication_date:{filters.year_to}-12-31")
        if filters.language:
            narrowed.append(f"language:{filters.language}")
        narrowed += [f"type:!{_TYPES[kind]}" for kind in filters.excluded_kinds if kind in _TYPES]
        if self.domain.openalex_fields:
            narrowed.append(f"primary_topic.field.id:{'|'.join(map(str, self.domain.openalex_fields))}")
        if narrowed:
            params["filter"] = ",".join(narrowed)
        if self.api_key:
            params["api_key"] = self.api_key
        papers: list[RawPaper] = []
        cursor: object = "*"
        while isinstance(cursor, str) and cursor and len(papers) < filters.max_results:
            page = await self.client.get_json("/works", {**params, "cursor": cursor})
            found = [paper for item in fields.records(page.get("results")) if (paper := _paper(item))]
            papers += found
            cursor = fields.record(page.get("meta")).get("next_cursor") if found else None
        return papers[: filters.max_results]

    async def look_up(self, identifier: Identifier) -> RawPaper | None:
        names = {"doi": "doi:", "arxiv": f"doi:{ARXIV_DOI_PREFIX}", "pmid": "pmid:", "pmcid": "pmcid:", "openalex": ""}
        name = quote(names[identifier.kind] + identifier.value, safe=":/")
        params = {"select": _FIELDS} | ({"api_key": self.api_key} if self.api_key else {})
        return _paper(await self.client.get_json(f"/works/{name}", params))


def _paper(item: dict[str, object]) -> RawPaper | None:
    title = fields.text(item.get("display_name")) or fields.text(item.get("title"))
    number = (fields.text(item.get("id")) or "").rpartition("/")[2]
    if not title or not number:
        return None
    location = fields.record(item.get("primary_location"))
    names = (
        fields.text(fields.record(entry.get("author")).get("display_name"))
        for entry in fields.records(item.get("authorships"))
    )
    return RawPaper(
        id=f"openalex:{number}",
        doi=fields.doi(item.get("doi")),
        title=title,
        authors=fields.authors(names),
        abstract=_abstract(item.get("abstract_inverted_index")),
        year=fields.year(item.get("publication_year")),
        venue=fields.text(fields.record(location.get("source")).get("display_name")),
        source="openalex",
        citation_count=fields.number(item.get("cited_by_count")),
        full_text_url=fields.url(fields.record(item.get("open_access")).get("oa_url"))
        or fields.url(location.get("landing_page_url")),
        facts=SourceFacts(language=fields.text(item.get("language")), retracted=item.get("is_retracted") is True),
    )


def _abstract(index: object) -> str | None:
    """The text that an inverted index (word: positions) was made from."""
    words: dict[int, str] = {}
    for word, positions in fields.record(index).items():
        for position in positions if isinstance(positions, list) else []:
            if isinstance(position, int) and 0 <= position < MAX_ABSTRACT_WORDS:
                words[position] = word
    return fields.text(" ".join(words[position] for position in sorted(words)))
