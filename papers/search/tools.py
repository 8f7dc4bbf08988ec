"""The tools that list papers: by words and meaning, by filters, by similarity, and while a name is being typed."""

from typing import Annotated, Any, Literal

from pydantic import Field

from papercore import limits
from papercore.errors import InvalidInput
from papercore.retrieval import CONFIDENCE, Filters, Mode, Request, Understood
from papercore.tool import VISIBLE_OR_BLANK
from papers.catalogue.lookup import find_paper
from papers.catalogue.schemas import (
    Category,
    FacetValue,
    Language,
    Limit,
    Offset,
    PaperHit,
    PaperId,
    PaperPage,
    Query,
    SearchHit,
    SearchPage,
    SimilarPapers,
    SuggestedKind,
    Suggestion,
    Suggestions,
    UnderstoodWords,
    Value,
    Year,
)
from papers.passages.marked import snippet_markdown
from papers.search import results
from papers.search.authors import named_authors
from papers.search.list_query import ListQuery
from papers.search.results import ListedPaper, list_papers
from papers.search.tables import TOPIC, SnapshotTables
from papers.snapshot.served import paper_tool

PageNumber = Annotated[int, Field(ge=1, description="Instead of offset, from 1.")]
PageSize = Annotated[int, Field(ge=1, le=limits.PAGE_SIZE)]
Order = Annotated[Literal["relevance", "year", "title"], Field(description="year: newest first.")]
How = Annotated[Mode, Field(description="hybrid: by words and by meaning; or by one of them alone.")]
Source = Annotated[bool | None, Field(description="Only papers with full text, or without.")]
Counted = Annotated[tuple[Category, ...], Field(max_length=6)]
Prefix = Annotated[
    str, Field(max_length=limits.QUERY_CHARS, description="What has been typed so far."), VISIBLE_OR_BLANK
]
KINDS: tuple[SuggestedKind, ...] = ("title", "author", "venue", "keyword")


@paper_tool
def search_papers(
    query: Query,
    limit: Limit = limits.DEFAULT_PAGE_SIZE,
    offset: Offset = 0,
    page: PageNumber | None = None,
    page_size: PageSize | None = None,
    sort: Order = "relevance",
    mode: How = "hybrid",
    author: Value | None = None,
    venue: Value | None = None,
    keyword: Value | None = None,
    tag: Value | None = None,
    institution: Value | None = None,
    year_from: Year | None = None,
    year_to: Year | None = None,
    has_source: Source = None,
    language: Language | None = None,
    facets: Counted = (),
) -> SearchPage:
    """Find papers by words and by meaning: title, summary, full text, translations, authors, venue, keywords.

    Start here for a question about the literature, in plain words. Best first; none if nothing here answers it: say
    so, `nearest` is no answer. Also understood: "a phrase", -word, AND, OR, NOT, author:, title:, venue:, keyword:,
    year:2019..2021, word*, a DOI, an arXiv id. `facets` counts values over all hits. Then call get_paper_metadata, and
    get_paper_summary for what a paper says.
    """
    if page is not None or page_size is not None:
        limit = page_size or limit
        offset = ((page or 1) - 1) * limit
    if offset > limits.OFFSET:
        raise InvalidInput(f"page: page {page} begins past the first {limits.OFFSET:,} results; narrow the query.")
    named = {"author": author, "venue": venue, "keyword": keyword, "tag": tag, "institution": institution}
    named |= {"language": language, "has": "source" if has_source else None}
    values = tuple((name, value) for name, value in named.items() if value is not None)
    filters = Filters(values, year_from, year_to, without=(("has", "source"),) if has_source is False else ())
    return search_page(Request(query, limit, offset, mode, sort, filters, tuple(dict.fromkeys(facets))))


@paper_tool
def search_papers_by_keyword(keyword: Value, limit: Limit = limits.DEFAULT_PAGE_SIZE, offset: Offset = 0) -> PaperPage:
    """Find papers whose keywords or tags contain the given text, in upper or lower case.

    Use it when a topic has a settled name ("transformer"); list_top_facets shows the names used here. Newest first.
    """
    return newest_page(Filters(((TOPIC, keyword),)), limit, offset)


@paper_tool
def filter_papers(
    author: Value | None = None,
    venue: Value | None = None,
    keyword: Value | None = None,
    tag: Value | None = None,
    institution: Value | None = None,
    year_from: Year | None = None,
    year_to: Year | None = None,
    limit: Limit = limits.DEFAULT_PAGE_SIZE,
    offset: Offset = 0,
) -> PaperPage:
    """List papers by author, venue, keyword, tag, institution and years, newest first.

    All conditions must hold; a part of a name is enough. Without any it lists the whole library. For questions in
    words use search_papers.
    """
    named = {"author": author, "venue": venue, "keyword": keyword, "tag": tag, "institution": institution}
    values = tuple((name, value) for name, value in named.items() if value is not None)
    return newest_page(Filters(values, year_from, year_to), limit, offset)


@paper_tool
def get_similar_papers(paper_id: PaperId, limit: Limit = 10) -> SimilarPapers:
    """Find the papers that are most like one paper, by its telling words and its meaning, nearest first.

    Use it to widen a search from a paper that fits.
    """
    found = find_paper(paper_id).paper_id
    similar = results.similar_papers(found, limit)
    hits = [_search_hit(paper) for paper in similar.papers]
    return SimilarPapers(paper_id=found, papers=hits, notice=similar.notice)


@paper_tool
def suggest(prefix: Prefix, kinds: tuple[SuggestedKind, ...] = KINDS, limit: Limit = 5) -> Suggestions:
    """Complete what is being typed: titles, authors, venues and keywords that have these words, the last unfinished.

    Use it to learn how the library spells a name before filtering by it. At most `limit` of each kind.
    """
    found = [
        Suggestion(kind=kind, value=item.value, paper_count=item.count)
        for kind in dict.fromkeys(kinds)
        for item in results.suggestions(prefix, kind, limit)
    ]
    return Suggestions(prefix=prefix, suggestions=found)


def search_page(request: Request) -> SearchPage:
    """What a request finds, best first, with the counts it asks for."""
    found = list_papers(request)
    understood = found.understood
    if not understood and not request.filters:
        named = named_authors(ListQuery(), found.corrected_query or request.query, found.listed).shown
        understood = Understood(authors=named[0].spellings) if len(named) == 1 else understood
    return SearchPage(
        papers=[_search_hit(paper) for paper in found.papers],
        total=found.total,
        beyond=found.beyond,
        confidence=CONFIDENCE[found.verdict if found.total else "nothing"],
        offset=request.offset,
        next_offset=_next_offset(len(found.papers), found.listed, request.offset),
        mode=found.mode,
        facets={
            name: [FacetValue(value=count.value, paper_count=count.count) for count in counts]
            for name, counts in found.counts.items()
        },
        notice=found.notice,
        nearest=[_search_hit(paper) for paper in found.nearest],
        corrected_query=found.corrected_query,
        understood=UnderstoodWords(
            introduced=understood.introduced,
            authors=list(understood.authors),
            year=understood.year,
            only=list(understood.only),
        )
        if understood
        else None,
    )


def newest_page(filters: Filters, limit: int, offset: int) -> PaperPage:
    """Newest first. The tables answer: they know a part of a name, where the index knows whole words."""
    found = list_papers(Request("", limit, offset, sort="year", filters=filters), SnapshotTables())
    return PaperPage(
        papers=[PaperHit(**_paper_fields(paper)) for paper in found.papers],
        total=found.total,
        offset=offset,
        next_offset=_next_offset(len(found.papers), found.total, offset),
    )


def _search_hit(paper: ListedPaper) -> SearchHit:
    score = None if paper.score is None else round(paper.score, 4)
    return SearchHit(**_paper_fields(paper), score=score, matched=list(paper.matched))


def _paper_fields(paper: ListedPaper) -> dict[str, Any]:  # Any: the values of several fields
    shown = ("paper_id", "title", "year", "venue", "authors")
    return {name: getattr(paper, name) for name in shown} | {"snippet_markdown": snippet_markdown(paper.snippet)}


def _next_offset(shown: int, total: int, offset: int) -> int | None:
    """Where the list continues; None at its end, and where paging ends."""
    after = offset + shown
    return after if shown and after < total and after <= limits.OFFSET else None
