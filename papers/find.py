"""The list of papers that fits a wish, with counts by facet and year: the one function behind the search page."""

from dataclasses import dataclass, field

from paper_search.retrieval import Index
from papers import find_index, find_tables, index, spelling
from papers.find_tables import Listed, Place
from papers.listing import number
from papers.models import Paper, PaperBibtex, PaperSummary, PaperTranslation
from papers.schemas import FacetValue
from papers.snapshot import reading
from papers.wish import PAGE_SIZE, Facet, Wish


@dataclass(frozen=True)
class FoundPaper:
    """A paper in a list, with what the list shows of it."""

    paper_id: str
    title: str
    year: int | None
    venue: str
    authors: list[str]
    # [[[ and ]]] stand around what matched.
    snippet: str
    why: str = ""
    templates: int = 0
    languages: list[str] = field(default_factory=list)
    has_source: bool = False
    has_bibtex: bool = False
    has_pdf: bool = False


@dataclass(frozen=True)
class Found:
    """One page of a list, and what was counted over all of it."""

    papers: list[FoundPaper]
    total: int
    facets: dict[Facet, list[FacetValue]]
    years: dict[int, int]

    @property
    def pages(self) -> int:
        return -(-self.total // PAGE_SIZE)


def find(wish: Wish) -> Found:
    """One page of the papers that fit."""
    with reading():
        used = _index_for(wish)
        if used is None:
            listed, counts = find_tables.listed(wish, PAGE_SIZE, wish.offset), find_tables.counted(wish)
        else:
            listed, counts = find_index.listed_and_counted(used, wish, PAGE_SIZE, wish.offset)
        return Found(shown(listed.places), listed.total, counts.facets, counts.years)


def count(wish: Wish) -> int:
    with reading():
        return _listed(wish, 1, 0).total


def neighbours(wish: Wish, position: int) -> tuple[str | None, str | None]:
    """The ids before and after a place of the list; places count from 1."""
    start = max(0, position - 2)
    with reading():
        ids = [place.paper_id for place in _listed(wish, 3, start).places]
    here = position - 1 - start
    before = ids[here - 1] if here > 0 and len(ids) >= here else None
    return before, ids[here + 1] if len(ids) > here + 1 else None


def _index_for(wish: Wish) -> Index | None:
    """The index, if there is one; the whole library is listed and counted faster by its tables."""
    return index.current() if wish.narrowed or wish.q.strip() else None


def _listed(wish: Wish, limit: int, offset: int) -> Listed:
    used = _index_for(wish)
    if used is None:
        return find_tables.listed(wish, limit, offset)
    return find_index.listed(used, wish, limit, offset)


def shown(places: list[Place]) -> list[FoundPaper]:
    """The papers at these places, in their order."""
    ids = [place.paper_id for place in places]
    papers = Paper.objects.in_bulk(ids)
    authors = spelling.authors([place.paper_id for place in places if not place.authors])
    templates = list(PaperSummary.objects.filter(paper__in=ids).values_list("paper_id", flat=True))
    languages = list(PaperTranslation.objects.filter(paper__in=ids).order_by("lang").values_list("paper_id", "lang"))
    cited = set(PaperBibtex.objects.filter(paper__in=ids).values_list("paper_id", flat=True))
    return [
        FoundPaper(
            paper_id=paper.paper_id,
            title=paper.title,
            year=number(paper.year),
            venue=paper.venue,
            authors=list(place.authors) or authors.get(paper.paper_id, []),
            snippet=place.snippet or paper.summary_preview,
            why=place.why,
            templates=templates.count(paper.paper_id),
            languages=[lang for paper_id, lang in languages if paper_id == paper.paper_id],
            has_source=bool(paper.source_md_content_hash),
            has_bibtex=paper.paper_id in cited,
            has_pdf=bool(paper.pdf_content_hash),
        )
        for place in places
        if (paper := papers.get(place.paper_id))
    ]
