"""The paper tools over REST: each route reads the request and calls its tool."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Query as InAddress
from ninja import Router
from pydantic import Field

from papercore import limits
from papercore.errors import NotFound
from papercore.http_status import DOCUMENTED_VISIBLE, DOCUMENTED_VISIBLE_OR_BLANK, answers
from papercore.retrieval import Filters, Request
from papers import tools
from papers.catalogue.schemas import (
    ID_PATTERN,
    Bibtex,
    Category,
    DatabaseStats,
    FacetValues,
    Limit,
    ManyPapers,
    MaxChars,
    Offset,
    PaperId,
    PaperMetadata,
    PaperPage,
    Query,
    SearchPage,
    SectionName,
    SimilarPapers,
    SourceText,
    Suggestions,
    SummaryText,
    TextOffset,
    TranslationText,
    Value,
    VisibleQuery,
    Year,
)
from papers.passages.schemas import (
    Neighbours,
    PaperOutline,
    PassageHits,
    PassageInContext,
    PassageLimit,
    QuotesBody,
    TextName,
    VerifiedQuotes,
)
from papers.references.tools import PaperReferences
from papers.search.tools import How, Order, Prefix, Source, newest_page, search_page

router = Router(tags=["papers"])
# Said here once more, because the document shows no pattern behind the tools' own conversion of numbers.
Id = Annotated[str, Field(pattern=ID_PATTERN)]
# In an address it may have slashes, as DOIs do: so the route of the paper itself comes after those below it.
PaperName = Annotated[str, Field(pattern=rf"^[^\s\x00-\x1f\x7f-\x9f]{{1,{limits.PAPER_NAME_CHARS}}}$")]
QueryParameter = Annotated[Query, DOCUMENTED_VISIBLE_OR_BLANK]
PrefixParameter = Annotated[Prefix, DOCUMENTED_VISIBLE_OR_BLANK]
PaperNames = Annotated[
    tuple[Annotated[PaperId, DOCUMENTED_VISIBLE], ...], InAddress(min_length=1, max_length=limits.PAPERS_AT_ONCE)
]
SearchedNames = Annotated[
    tuple[Annotated[PaperId, DOCUMENTED_VISIBLE], ...], InAddress(max_length=limits.PAPERS_AT_ONCE)
]
VisibleQueryParameter = Annotated[VisibleQuery, DOCUMENTED_VISIBLE]
SectionParameter = Annotated[SectionName, DOCUMENTED_VISIBLE]
AddressInPath = Annotated[str, Field(pattern=rf"^[^\s\x00-\x1f\x7f-\x9f]{{1,{limits.ADDRESS_CHARS}}}$")]
ValueParameter = Annotated[Value, DOCUMENTED_VISIBLE]
# One value, or several by repeating the parameter: papers with any of them.
Names = Annotated[tuple[ValueParameter, ...], InAddress(max_length=limits.FILTERS)]


@router.get("/papers", response=answers(SearchPage), summary="Search papers")
def search_papers(
    request: HttpRequest,
    query: QueryParameter = "",
    limit: Limit = limits.DEFAULT_PAGE_SIZE,
    offset: Offset = 0,
    sort: Order = "relevance",
    mode: How = "hybrid",
    author: Names = (),
    venue: Names = (),
    keyword: Names = (),
    tag: Names = (),
    institution: Names = (),
    year_from: Year | None = None,
    year_to: Year | None = None,
    has_source: Source = None,
    language: Id | None = None,
) -> SearchPage:
    """Papers by words and by meaning, best first, within the filters; without words the newest.

    A parameter given twice asks for either value, different parameters must all fit.
    """
    values = _values(author=author, venue=venue, keyword=keyword, tag=tag, institution=institution)
    values += _values(language=(language,) if language else (), has=("source",) if has_source else ())
    without = (("has", "source"),) if has_source is False else ()
    return search_page(Request(query, limit, offset, mode, sort, Filters(values, year_from, year_to, without)))


@router.get("/suggestions", response=answers(Suggestions), summary="Complete what is being typed")
def suggest(request: HttpRequest, prefix: PrefixParameter, limit: Limit = 5) -> Suggestions:
    """Titles, authors, venues and keywords that begin as typed."""
    return tools.suggest(prefix, limit=limit)


@router.get("/papers/{path:paper_id}/similar", response=answers(SimilarPapers, NotFound), summary="Find similar papers")
def get_similar_papers(request: HttpRequest, paper_id: PaperName, limit: Limit = 10) -> SimilarPapers:
    """The papers most like one paper, nearest first."""
    return tools.get_similar_papers(paper_id, limit)


@router.get("/papers-by-keyword", response=answers(PaperPage), summary="Search papers by keyword")
def search_papers_by_keyword(
    request: HttpRequest, keyword: ValueParameter, limit: Limit = limits.DEFAULT_PAGE_SIZE, offset: Offset = 0
) -> PaperPage:
    """Papers whose keywords or tags contain the text."""
    return tools.search_papers_by_keyword(keyword, limit, offset)


@router.get("/papers-by-facet", response=answers(PaperPage), summary="Filter papers")
def filter_papers(
    request: HttpRequest,
    author: Names = (),
    venue: Names = (),
    keyword: Names = (),
    tag: Names = (),
    institution: Names = (),
    year_from: Year | None = None,
    year_to: Year | None = None,
    limit: Limit = limits.DEFAULT_PAGE_SIZE,
    offset: Offset = 0,
) -> PaperPage:
    """Papers by author, venue, keyword, tag, institution and years: all that is given must hold.

    A parameter given twice asks for either value.
    """
    values = _values(author=author, venue=venue, keyword=keyword, tag=tag, institution=institution)
    return newest_page(Filters(values, year_from, year_to), limit, offset)


def _values(**named: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, values in named.items() for value in values)


@router.get("/papers/{path:paper_id}/summary", response=answers(SummaryText, NotFound), summary="Get a paper's summary")
def get_paper_summary(
    request: HttpRequest,
    paper_id: PaperName,
    template: Id | None = None,
    max_chars: MaxChars = limits.TEXT_CHARS,
) -> SummaryText:
    """The preferred summary, or the one by the template."""
    return tools.get_paper_summary(paper_id, template, max_chars)


@router.get("/papers/{path:paper_id}/source", response=answers(SourceText, NotFound), summary="Get a paper's full text")
def get_paper_source(
    request: HttpRequest,
    paper_id: PaperName,
    max_chars: MaxChars = limits.TEXT_CHARS,
    section: SectionParameter | None = None,
    offset: TextOffset = 0,
) -> SourceText:
    """The full text as markdown, or one section of it, from the offset on, cut after max_chars."""
    return tools.get_paper_source(paper_id, max_chars, section, offset)


@router.get(
    "/papers/{path:paper_id}/outline", response=answers(PaperOutline, NotFound), summary="Get the outline of a text"
)
def get_paper_outline(request: HttpRequest, paper_id: PaperName, text: TextName | None = None) -> PaperOutline:
    """The sections of one text of a paper, with the addresses of their passages."""
    return tools.get_paper_outline(paper_id, text)


@router.get("/passages", response=answers(PassageHits, NotFound), summary="Search passages")
def search_passages(
    request: HttpRequest,
    query: VisibleQueryParameter,
    paper_ids: SearchedNames = (),
    limit: PassageLimit = limits.DEFAULT_PASSAGE_HITS,
    author: ValueParameter | None = None,
    venue: ValueParameter | None = None,
    keyword: ValueParameter | None = None,
    year_from: Year | None = None,
    year_to: Year | None = None,
) -> PassageHits:
    """The passages that bear on a question, best first, within the papers or the filters given."""
    return tools.search_passages(
        query,
        paper_ids,
        limit,
        author=author,
        venue=venue,
        keyword=keyword,
        year_from=year_from,
        year_to=year_to,
    )


@router.get("/passages/{path:address}", response=answers(PassageInContext, NotFound), summary="Open a passage")
def get_passage(
    request: HttpRequest, address: AddressInPath, before: Neighbours = 1, after: Neighbours = 1
) -> PassageInContext:
    """A passage of a paper's text, with those before and after it."""
    return tools.get_passage(address, before, after)


@router.post("/verified-quotes", response=answers(VerifiedQuotes), summary="Verify quotes")
def verify_quotes(request: HttpRequest, body: QuotesBody) -> VerifiedQuotes:
    """For each quote, where it is in the papers, or that it is nowhere."""
    return tools.verify_quotes(body.quotes)


@router.get("/papers-by-id", response=answers(ManyPapers), summary="Get the metadata of several papers")
def get_papers(request: HttpRequest, paper_ids: PaperNames) -> ManyPapers:
    """The papers in the order asked for; names that fit no paper are listed."""
    return tools.get_papers(paper_ids)


@router.get(
    "/papers/{path:paper_id}/translations/{lang}",
    response=answers(TranslationText, NotFound),
    summary="Get a paper's translation",
)
def get_paper_translation(
    request: HttpRequest, paper_id: PaperName, lang: Id, max_chars: MaxChars = limits.TEXT_CHARS
) -> TranslationText:
    """A translation of the full text as markdown, cut after max_chars."""
    return tools.get_paper_translation(paper_id, lang, max_chars)


@router.get(
    "/papers/{path:paper_id}/references",
    response=answers(PaperReferences, NotFound),
    summary="Get a paper's references, and what cites it",
)
def get_paper_references(
    request: HttpRequest, paper_id: PaperName, limit: Limit = limits.DEFAULT_REFERENCES, offset: Offset = 0
) -> PaperReferences:
    """What a paper cites, with the papers of this library among it, and which papers here cite it."""
    return tools.get_paper_references(paper_id, limit, offset)


@router.get("/papers/{path:paper_id}/bibtex", response=answers(Bibtex, NotFound), summary="Get a paper's BibTeX")
def get_paper_bibtex(request: HttpRequest, paper_id: PaperName) -> Bibtex:
    """The entry that is stored with the paper, unchanged."""
    return tools.get_paper_bibtex(paper_id)


@router.get("/papers/{path:paper_id}", response=answers(PaperMetadata, NotFound), summary="Get a paper's metadata")
def get_paper_metadata(request: HttpRequest, paper_id: PaperName) -> PaperMetadata:
    """Authors, venue, year, DOI, keywords, and which texts the paper has."""
    return tools.get_paper_metadata(paper_id)


@router.get("/facets/{category}", response=answers(FacetValues), summary="List top values of a facet")
def list_top_facets(request: HttpRequest, category: Category, limit: Limit = limits.DEFAULT_PAGE_SIZE) -> FacetValues:
    """The most frequent authors, venues, keywords, institutions, tags or years."""
    return tools.list_top_facets(category, limit)


@router.get("/stats", response=answers(DatabaseStats), summary="Get the library's size and shape")
def get_database_stats(request: HttpRequest) -> DatabaseStats:
    """Papers, years, texts, templates, languages, and when the library was built."""
    return tools.get_database_stats()
