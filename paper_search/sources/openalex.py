"""OpenAlex: works of all fields; pages by cursor, abstracts as inverted indexes, a daily budget."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar
from urllib.parse import quote

from paper_search.domains import Domain
from paper_search.models import Paper, PaperTag, RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.sources import fields
from paper_search.sources.http import SourceClient
from paper_search.sources.interface import Source, SourceError
from paper_search.sources.links import LINKED_PAPERS, Linked, Links
from paper_search.text import words
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX, Identifier, arxiv_mentioned_in, bare_doi
from papercore.bibliography.venues import VENUE_NAMES

PAGE_SIZE = 100
_FIELDS = (
    "id,doi,display_name,title,publication_year,primary_location,authorships,abstract_inverted_index,cited_by_count,"
    "open_access,language,is_retracted"
)
# Kinds of papers that the service can leave out.
_TYPES = {PaperTag.review: "review", PaperTag.dataset: "dataset", PaperTag.thesis: "dissertation"}
# Of these, the kinds that are asked for alone: a `dataset` there is a file, not a paper about one.
_ASKED_TYPES = (PaperTag.review, PaperTag.thesis)
# Each name of a venue is a request, and may belong to several series.
MAX_VENUES, VENUE_MATCHES = 5, 5
# No abstract has a word at a later position.
MAX_ABSTRACT_WORDS = 10_000


@dataclass
class OpenAlex(Source):
    takes: ClassVar = "operators"
    own_filters: ClassVar = frozenset({"year_from", "year_to", "authors", "venues", "language_codes"})

    client: SourceClient
    domain: Domain
    api_key: str = ""
    # The ids of venues that were asked for, by their names.
    venue_ids: dict[str, list[str]] = field(default_factory=dict)

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        params: dict[str, str | int] = {
            **({"search": query.boolean_query} if query.boolean_query else {}),
            "per_page": min(PAGE_SIZE, filters.max_results),
            "select": _FIELDS,
        }
        narrowed = await self._filters(filters)
        if narrowed:
            params["filter"] = ",".join(narrowed)
        works = await self._works(params, filters.max_results)
        return [paper for item in works if (paper := _paper(item))]

    async def linked(self, papers: Sequence[Paper]) -> list[Linked]:
        links, found = Links(), {}
        names: defaultdict[str, str] = defaultdict(str)
        for item in await self._works_by(
            {"openalex": _numbers(papers), "doi": _dois(papers)}, "id,doi,referenced_works"
        ):
            number, doi = _number(item), fields.doi(item.get("doi"))
            known = (paper.id for paper in papers if paper.id == f"openalex:{number}" or (doi and _doi(paper) == doi))
            if followed := next(known, ""):
                names[number] = followed
                for reference in _references(item):
                    links.cited_by[reference].add(followed)
        if names:
            params: dict[str, str | int] = {
                "filter": f"cites:{'|'.join(names)}",
                "sort": "cited_by_count:desc",
                "per_page": PAGE_SIZE,
                "select": f"{_FIELDS},referenced_works",
            }
            for item in await self._works(params, LINKED_PAPERS):
                found[_number(item)] = item
                links.cites[_number(item)] |= {names[number] for number in _references(item) if number in names}
        missing = [number for number in links.most_linked if number not in found]
        found |= {_number(item): item for item in await self._works_by({"openalex": missing}, _FIELDS)}
        return links.linked({number: paper for number, item in found.items() if (paper := _paper(item))})

    async def _works_by(self, names: Mapping[str, Sequence[str]], select: str) -> list[dict[str, object]]:
        """The works with these names, by the filter that each kind of name has."""
        works = []
        for kind, values in names.items():
            for start in range(0, len(values), PAGE_SIZE):
                asked = values[start : start + PAGE_SIZE]
                params: dict[str, str | int] = {"filter": f"{kind}:{'|'.join(asked)}", "select": select}
                works += await self._works({**params, "per_page": PAGE_SIZE}, len(asked))
        return works

    async def _works(self, params: dict[str, str | int], most: int) -> list[dict[str, object]]:
        """The first works, of as many pages as they need."""
        if self.api_key:
            params["api_key"] = self.api_key
        works: list[dict[str, object]] = []
        cursor: object = "*"
        while isinstance(cursor, str) and cursor and len(works) < most:
            page = await self.client.get_json("/works", {**params, "cursor": cursor})
            found = [item for item in fields.records(page.get("results")) if _number(item)]
            works += found
            cursor = fields.record(page.get("meta")).get("next_cursor") if found else None
        return works[:most]

    async def _filters(self, filters: SearchConstraints) -> list[str]:
        """The plan in the filters of the service."""
        narrowed: list[str] = []
        if filters.year_from:
            narrowed.append(f"from_publication_date:{filters.year_from}-01-01")
        if filters.year_to:
            narrowed.append(f"to_publication_date:{filters.year_to}-12-31")
        if filters.language_codes:
            narrowed.append(f"language:{'|'.join(filters.language_codes)}")
        if names := [" ".join(words(name)) for name in filters.authors]:
            narrowed.append(f"raw_author_name.search:{'|'.join(names)}")
        if filters.venues:
            narrowed.append(f"primary_location.source.id:{'|'.join(await self._venue_ids(filters.venues))}")
        if wanted := [_TYPES[kind] for kind in filters.kinds if kind in _ASKED_TYPES]:
            narrowed.append(f"type:{'|'.join(wanted)}")
        narrowed += [f"type:!{_TYPES[kind]}" for kind in filters.excluded_kinds if kind in _TYPES]
        if self.domain.openalex_fields:
            narrowed.append(f"primary_topic.field.id:{'|'.join(map(str, self.domain.openalex_fields))}")
        return narrowed

    async def _venue_ids(self, venues: Sequence[str]) -> list[str]:
        """Works know their venue by its id: those of the best matches for each name, written out if an acronym."""
        key = {"api_key": self.api_key} if self.api_key else {}
        for name in (name for name in venues[:MAX_VENUES] if name not in self.venue_ids):
            asked = VENUE_NAMES.get(name.lower(), " ".join(words(name)))
            answer = await self.client.get_json(
                "/sources", {"search": asked, "per_page": VENUE_MATCHES, "select": "id", **key}
            )
            ids = (
                (fields.text(item.get("id")) or "").rpartition("/")[2] for item in fields.records(answer.get("results"))
            )
            self.venue_ids[name] = [number for number in ids if number]
        found = [number for name in venues[:MAX_VENUES] for number in self.venue_ids[name]]
        if not found:
            raise SourceError(f"knows no venue by the name of {' or '.join(venues)}")
        return found

    async def look_up(self, identifier: Identifier) -> RawPaper | None:
        names = {"doi": "doi:", "arxiv": f"doi:{ARXIV_DOI_PREFIX}", "pmid": "pmid:", "pmcid": "pmcid:", "openalex": ""}
        name = quote(names[identifier.kind] + identifier.value, safe=":/")
        params = {"select": _FIELDS} | ({"api_key": self.api_key} if self.api_key else {})
        return _paper(await self.client.get_json(f"/works/{name}", params))


def _number(item: dict[str, object]) -> str:
    return (fields.text(item.get("id")) or "").rpartition("/")[2]


def _references(item: dict[str, object]) -> list[str]:
    listed = item.get("referenced_works")
    return [str(name).rpartition("/")[2] for name in listed] if isinstance(listed, list) else []


def _numbers(papers: Sequence[Paper]) -> list[str]:
    return [paper.id.removeprefix("openalex:") for paper in papers if paper.id.startswith("openalex:")]


def _dois(papers: Sequence[Paper]) -> list[str]:
    """Of the papers that the service has not named itself; a filter cannot say some marks."""
    found = [_doi(paper) for paper in papers if not paper.id.startswith("openalex:")]
    return [doi for doi in found if doi and not set(doi) & set(",|")]


def _doi(paper: Paper) -> str:
    number = arxiv_mentioned_in(paper.full_text_url or "")
    return bare_doi(paper.doi or "") or (f"{ARXIV_DOI_PREFIX}{number}" if number else "")


def _paper(item: dict[str, object]) -> RawPaper | None:
    title, number = fields.text(item.get("display_name")) or fields.text(item.get("title")), _number(item)
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
