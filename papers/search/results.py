"""Lists of papers: these papers, in this order, with these counts. Every page, tool, feed and export asks here."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Protocol, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from papercore.retrieval import (
    Completion,
    Count,
    DocumentNotFound,
    EngineFailed,
    Hit,
    Mode,
    Request,
    Results,
    Understood,
    Verdict,
)
from papercore.snapshot.file import facet_key
from papers.passages.marked import without_markup
from papers.search.list_query import FACETS, PAGE_SIZE, Facet, ListQuery
from papers.search.tables import LINKS, SnapshotTables
from papers.snapshot import served
from papers.snapshot.errors import PaperNotFound
from papers.snapshot.queries import TEXT_KINDS, links_of_papers
from papers.snapshot.served import connection, indexed_paper, reading

R = TypeVar("R")


class ListedTexts(Struct, frozen=True):
    """Which texts a paper in a list has."""

    templates: int = 0
    languages: Sequence[str] = ()
    has_source: bool = False
    has_bibtex: bool = False
    has_pdf: bool = False


class ShownPassage(Struct, frozen=True):
    """A passage of a paper in a list, its words marked, and the address that opens the text there."""

    marked: str
    # Its headings, or the text that it is in.
    place: str
    page: int | None
    link: str
    # What the text is, where it is not the authors' and the place does not say it.
    kind: str = ""


class ListedPaper(Struct, frozen=True):
    """A paper in a list."""

    paper_id: str
    title: str
    # [[[ and ]]] surround what matched, in the title and in the snippet.
    marked_title: str
    year: int | None
    venue: str
    authors: list[str]
    snippet: str
    # None where the order is not one of relevance.
    score: float | None = None
    matched: tuple[str, ...] = ()
    texts: ListedTexts = ListedTexts()
    # Of a paper that has the words in a text: where it says so.
    passages: tuple[ShownPassage, ...] = ()
    # When it came to the library, where that is known and shown.
    added: str = ""


class PaperList(Struct, frozen=True):
    """Part of a list, and what was counted over all of it."""

    papers: list[ListedPaper]
    total: int
    mode: Mode
    counts: Mapping[str, tuple[Count, ...]]
    # What readers should know: that the index failed, and the snapshot's tables answered.
    notice: str = ""
    # Where nothing answers the query: the papers nearest to it. They are not part of the list and not counted.
    nearest: list[ListedPaper] = field(default_factory=list)
    # The query that was answered, where slips in the one asked were mended.
    corrected_query: str = ""
    understood: Understood = Understood()
    verdict: Verdict = "answered"
    # Papers that only share a word with the query: by relevance they follow those that are counted.
    beyond: int = 0

    @property
    def listed(self) -> int:
        return self.total + self.beyond

    def counted(self, offset: int) -> list[ListedPaper]:
        """Those of its papers that `total` counts, given how many of the list are before them."""
        return self.papers[: max(0, self.total - offset)]

    @property
    def pages(self) -> int:
        return -(-self.listed // PAGE_SIZE)

    def facet_counts(self, facet: Facet) -> dict[str, int]:
        """Papers per value. Names are as addresses have them: however one is written, its link is the same."""
        counts = self.counts[facet]
        return {(facet_key(item.value) if facet in LINKS else item.value): item.count for item in counts}

    @property
    def years(self) -> dict[int, int]:
        """Papers per year, in order."""
        counts = self.counts.get("year", ())
        return dict(sorted((int(count.value), count.count) for count in counts if count.value.isdigit()))


class Searcher(Protocol):
    """What an index and the snapshot's tables both answer."""

    def search(self, request: Request) -> Results: ...

    def similar(self, document_id: str, limit: int) -> tuple[Hit, ...]: ...

    def suggest(self, prefix: str, kinds: Sequence[str], limit: int) -> list[Completion]: ...


def ask(question: Callable[[Searcher], R]) -> R:
    """The answer of the index; of the snapshot's tables where there is no index, or it fails."""
    return served.ask_index(question, lambda: question(SnapshotTables()))


def list_papers(request: Request, engine: Searcher | None = None) -> PaperList:
    """The papers that a request asks for: by the engine given, else by the index, else by the snapshot's tables."""
    with reading():
        if not request.query.strip() and request.sort == "relevance":
            request = replace(request, sort="year")
        if engine:
            return _list(request, engine)
        found = served.ask_index(partial(_list, request), lambda: None)
        return found or replace(_list(request, SnapshotTables()), notice=served.index_failure_notice())


def _list(request: Request, engine: Searcher) -> PaperList:
    results = engine.search(request)
    papers, nearest = ([_listed(hit) for hit in hits] for hits in (results.hits, results.nearest))
    return PaperList(
        papers,
        results.total,
        results.mode,
        results.facets,
        nearest=nearest,
        corrected_query=results.corrected_query,
        understood=results.understood,
        verdict=results.verdict,
        beyond=results.beyond if request.sort == "relevance" else 0,
    )


def list_page(query: ListQuery, counted: tuple[Facet, ...] = FACETS, size: int = PAGE_SIZE) -> PaperList:
    """One page of a list. A facet in use is counted as if it were not, because its other values widen the list."""
    with reading():
        page = list_papers(query.request((*counted, "year"), limit=size))
        counts = dict(page.counts)
        if query.has_years:
            counts |= _counts(query.without_years(), "year")
        for facet in counted:
            if getattr(query, facet):
                others = _counts(query.without_facet(facet), facet)[facet]
                # Before them those of the values in use that are not among the commonest.
                hidden = query.facet_keys(facet) - {facet_key(count.value) for count in others}
                own = (count for count in page.counts[facet] if facet_key(count.value) in hidden)
                counts[facet] = (*own, *others)
        return replace(page, papers=_with_texts(page.papers), counts=counts)


def _counts(query: ListQuery, facet: str) -> Mapping[str, tuple[Count, ...]]:
    return list_papers(query.request((facet,), limit=1, offset=0)).counts


def count(query: ListQuery) -> int:
    return list_papers(query.request(limit=1, offset=0)).total


def neighbours(query: ListQuery, position: int) -> tuple[str | None, str | None]:
    """The ids before and after a position in the list; positions count from 1."""
    start = max(0, position - 2)
    ids = [paper.paper_id for paper in list_papers(query.request(limit=3, offset=start)).papers]
    here = position - 1 - start
    before = ids[here - 1] if here > 0 and len(ids) >= here else None
    return before, ids[here + 1] if len(ids) > here + 1 else None


def papers_by_id(paper_ids: Sequence[str]) -> list[ListedPaper]:
    """These papers in this order; ids that the library does not have are left out."""
    with reading():
        return _with_texts([_listed(hit) for hit in SnapshotTables().hits(dict.fromkeys(paper_ids, ""))])


class SimilarList(Struct, frozen=True):
    """The papers most like one paper, nearest first."""

    papers: tuple[ListedPaper, ...]
    notice: str = ""


def similar_papers(paper_id: str, limit: int) -> SimilarList:
    """The papers most like one paper: by the index, else those that the snapshot's tables connect with it."""
    with reading():
        try:
            found = served.ask_index(lambda built: _similar_in_index(built.serial, paper_id, limit), lambda: None)
            if found is not None:
                return SimilarList(found)
            hits = SnapshotTables().similar(paper_id, limit)
            return SimilarList(tuple(map(_listed, hits)), served.index_failure_notice())
        except DocumentNotFound:
            raise PaperNotFound(paper_id) from None


# The views of one paper all show them, and they are half of what a page costs.
@lru_cache(maxsize=1_000)
def _similar_in_index(serial: int, paper_id: str, limit: int) -> tuple[ListedPaper, ...]:
    """`serial` is that of the index which is asked, and another one after each change."""
    built = served.current_index()
    if built is None:
        raise EngineFailed("The index is gone since it was looked for.")
    return tuple(map(_listed, built.similar(paper_id, limit)))


def suggestions(prefix: str, kind: str, limit: int) -> list[Completion]:
    """Titles or names that complete what was typed, most common first."""
    with reading():
        return ask(lambda engine: engine.suggest(prefix, [kind], limit))


def _listed(hit: Hit) -> ListedPaper:
    """A hit, with what the index stores of its paper for display."""
    shown = indexed_paper(hit.payload)
    # Of a paper without a text its title, which is there already.
    snippet = "" if hit.snippet in (shown.title, hit.marked_title) else hit.snippet
    return ListedPaper(
        paper_id=hit.id,
        title=shown.title,
        marked_title=hit.marked_title,
        year=shown.year,
        venue=shown.venue,
        authors=shown.authors,
        snippet=without_markup(snippet),
        score=hit.score,
        matched=hit.matched,
    )


def _with_texts(papers: list[ListedPaper]) -> list[ListedPaper]:
    """The papers with the texts they have; those that the snapshot lacks are left out."""
    links = links_of_papers(connection(), [paper.paper_id for paper in papers], TEXT_KINDS)
    return [
        replace(
            paper,
            texts=ListedTexts(
                templates=len(found["template"]),
                languages=found["language"],
                has_source=bool(found["source"]),
                has_bibtex=bool(found["bibtex"]),
                has_pdf=bool(found["pdf"]),
            ),
        )
        for paper in papers
        if (found := links[paper.paper_id])["title"]
    ]
