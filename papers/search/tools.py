"""The tools that search: by words and meaning, by likeness, and while a name is being typed."""

from typing import Annotated, Literal

from pydantic import Field

from papercore import limits
from papercore.retrieval import Filters, Mode, Request
from papers.schemas import (
    Category,
    Language,
    Limit,
    Offset,
    PaperId,
    Query,
    SearchPage,
    SimilarPapers,
    SuggestedKind,
    Suggestions,
    Value,
    Year,
)
from papers.search import engine as engine
from papers.search import paging
from papers.snapshot.served import paper_tool

PageNumber = Annotated[int, Field(ge=1, description="Count in pages instead of offset; starts at 1.")]
PageSize = Annotated[int, Field(ge=1, le=limits.PAGE_SIZE, description="Papers on a page, 1 to 100.")]
Order = Annotated[Literal["relevance", "year", "title"], Field(description="year: newest first.")]
How = Annotated[Mode, Field(description="hybrid: by words and by meaning; or by one of them alone.")]
Source = Annotated[bool | None, Field(description="true: only papers with full text; false: only those without.")]
Counted = Annotated[tuple[Category, ...], Field(max_length=6, description="Count these over all hits.")]
Prefix = Annotated[str, Field(max_length=limits.QUERY_CHARS, description="What has been typed so far.")]
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

    Start here for a question about the literature; ask it in plain words. Papers come best first, with the place that
    matched in `snippet_markdown` and where it is in `matched`. Any word may match. Also understood: "a phrase",
    -word, AND, OR, NOT, author:, title:, venue:, keyword:, year:2019..2021, word*, a DOI, an arXiv id. The filters
    narrow the hits; `facets` counts authors, venues, keywords, institutions, tags or years over all of them. Then
    call get_paper_metadata, and get_paper_summary for what a paper says.
    """
    size, start = paging.window(limit, offset, page, page_size)
    named = {"author": author, "venue": venue, "keyword": keyword, "tag": tag, "institution": institution}
    named |= {"language": language, "has": "source" if has_source else None}
    values = tuple((name, value) for name, value in named.items() if value is not None)
    filters = Filters(values, year_from, year_to, without=(("has", "source"),) if has_source is False else ())
    return engine.search(Request(query, size, start, mode, sort, filters, tuple(dict.fromkeys(facets))))


@paper_tool
def get_similar_papers(paper_id: PaperId, limit: Limit = 10) -> SimilarPapers:
    """Find the papers that are most like one paper, by its telling words and its meaning, nearest first.

    Use it to widen a search from a paper that fits: it also finds papers that use other words for the same matter.
    """
    return SimilarPapers(paper_id=paper_id, papers=engine.similar(paper_id, limit))


@paper_tool
def suggest(prefix: Prefix, kinds: tuple[SuggestedKind, ...] = KINDS, limit: Limit = 5) -> Suggestions:
    """Complete what is being typed: titles, authors, venues and keywords that have these words, the last unfinished.

    Use it to learn how the library spells a name before filtering by it. At most `limit` of each kind.
    """
    kept = tuple(dict.fromkeys(kinds))
    return Suggestions(prefix=prefix, suggestions=engine.suggest(prefix, kept, limit))
