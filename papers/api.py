"""The paper tools over REST. A route takes its arguments, their limits and its answer from its tool."""

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Annotated, Any

from django.http import HttpRequest
from msgspec.structs import replace
from ninja import Query as InAddress
from ninja import Router
from pydantic import BaseModel, Field

from papercore import limits
from papercore.errors import NotFound, ToolError
from papercore.http_status import DOCUMENTED_VISIBLE, DOCUMENTED_VISIBLE_OR_BLANK, answers
from papercore.retrieval import Filters, Mode, Request, Sort
from papers import tools
from papers.catalogue.citing import CitationsBody, CitedPapers, QuotedPage
from papers.catalogue.schemas import (
    ID_PATTERN,
    PaperId,
    PaperPage,
    Query,
    SearchPage,
    SectionName,
    Value,
    VisibleQuery,
)
from papers.passages.schemas import QuotesBody, VerifiedQuotes
from papers.references.checking import BibliographyBody, CheckedBibliography
from papers.search.claims import CheckedClaims, ClaimsBody
from papers.search.tools import Prefix, newest_page, search_page

router = Router(tags=["papers"])
# Said here once more, because the document shows no pattern behind the tools' own conversion of numbers.
Id = Annotated[str, Field(pattern=ID_PATTERN)]
ValueParameter = Annotated[Value, DOCUMENTED_VISIBLE]
Question = Annotated[Query, DOCUMENTED_VISIBLE_OR_BLANK, InAddress(default="")]
# One value, or several by repeating the parameter: papers with any of them.
Names = Annotated[tuple[ValueParameter, ...], InAddress(max_length=limits.FILTERS)]
PaperIdParameter = Annotated[PaperId, DOCUMENTED_VISIBLE]
SEVERAL: dict[str, Any] = dict.fromkeys(("author", "venue", "keyword", "tag", "institution"), Names)
SearchedNames = Annotated[tuple[PaperIdParameter, ...], InAddress(max_length=limits.PAPERS_AT_ONCE)]
PaperNames = Annotated[tuple[PaperIdParameter, ...], InAddress(min_length=1, max_length=limits.PAPERS_AT_ONCE)]
# How an address writes the arguments of tools, where it cannot take them as they are.
IN_ADDRESS: dict[str, Any] = {  # Any: types are values here
    # It may have slashes, as DOIs do: so the route of the paper itself comes after those below it.
    "paper_id": Annotated[str, Field(pattern=rf"^[^\s\x00-\x1f\x7f-\x9f]{{1,{limits.PAPER_NAME_CHARS}}}$")],
    "address": Annotated[str, Field(pattern=rf"^[^\s\x00-\x1f\x7f-\x9f]{{1,{limits.ADDRESS_CHARS}}}$")],
    "query": Annotated[VisibleQuery, DOCUMENTED_VISIBLE],
    "prefix": Annotated[Prefix, DOCUMENTED_VISIBLE_OR_BLANK],
    "section": Annotated[SectionName, DOCUMENTED_VISIBLE] | None,
    "template": Id | None,
    "lang": Id,
    "author": ValueParameter | None,
    "venue": ValueParameter | None,
    "keyword": ValueParameter | None,
}


def serve(
    path: str,
    tool: Callable[..., BaseModel],
    summary: str,
    description: str,
    *errors: type[ToolError],
    call: Callable[..., BaseModel] | None = None,
    **types: Any,
) -> None:
    """A route that calls a tool. `types` says how this address writes an argument; one that is None is left out.

    `call` answers in the tool's place where an address may give more than the tool takes.
    """
    called = signature(tool)
    written = IN_ADDRESS | types
    parameters = [
        parameter.replace(annotation=annotation, default=() if annotation is Names else parameter.default)
        for parameter in called.parameters.values()
        if (annotation := written.get(parameter.name, parameter.annotation)) is not None
    ]

    def route(request: HttpRequest, **arguments: Any) -> BaseModel:  # Any: what the tool takes
        return (call or tool)(**arguments)

    route.__name__, route.__doc__ = tool.__name__, description
    request = Parameter("request", Parameter.POSITIONAL_OR_KEYWORD, annotation=HttpRequest)
    route.__signature__ = called.replace(parameters=[request, *parameters])  # type: ignore[attr-defined]
    router.get(path, response=answers(called.return_annotation, *errors), summary=summary)(route)


def search_by_values(
    query: str,
    limit: int,
    offset: int,
    mode: Mode,
    sort: Sort,
    has_source: bool | None,
    language: str | None,
    **filters: Any,
) -> SearchPage:
    """As search_papers, with several values of a facet."""
    found = _filters(**filters, language=(language,) if language else (), has=("source",) if has_source else ())
    without = (("has", "source"),) if has_source is False else ()
    return search_page(Request(query, limit, offset, mode, sort, replace(found, without=without)))


def filter_by_values(limit: int, offset: int, **filters: Any) -> PaperPage:
    """As filter_papers, with several values of a facet."""
    return newest_page(_filters(**filters), limit, offset)


def _filters(year_from: int | None, year_to: int | None, **named: tuple[str, ...]) -> Filters:
    values = tuple((name, value) for name, values in named.items() for value in values)
    return Filters(values, year_from, year_to)


serve(
    "/papers",
    tools.search_papers,
    "Search papers",
    "Papers by words and by meaning, best first, within the filters; without words the newest.\n\n"
    "A parameter given twice asks for either value, different parameters must all fit.",
    call=search_by_values,
    query=Question,
    language=Id | None,
    page=None,
    page_size=None,
    facets=None,
    **SEVERAL,
)
serve(
    "/suggestions",
    tools.suggest,
    "Complete what is being typed",
    "Titles, authors, venues and keywords that begin as typed.",
    kinds=None,
)
serve(
    "/papers/{path:paper_id}/similar",
    tools.get_similar_papers,
    "Find similar papers",
    "The papers most like one paper, nearest first.",
    NotFound,
)
serve(
    "/papers-by-keyword",
    tools.search_papers_by_keyword,
    "Search papers by keyword",
    "Papers whose keywords or tags contain the text.",
    keyword=ValueParameter,
)


serve(
    "/papers-by-facet",
    tools.filter_papers,
    "Filter papers",
    "Papers by author, venue, keyword, tag, institution and years: all that is given must hold.\n\n"
    "A parameter given twice asks for either value.",
    call=filter_by_values,
    **SEVERAL,
)
serve(
    "/papers/{path:paper_id}/summary",
    tools.get_paper_summary,
    "Get a paper's summary",
    "The preferred summary, or the one by the template.",
    NotFound,
)
serve(
    "/papers/{path:paper_id}/source",
    tools.get_paper_source,
    "Get a paper's full text",
    "The full text as markdown, or one section of it, from the offset on, cut after max_chars.",
    NotFound,
)
serve(
    "/papers/{path:paper_id}/outline",
    tools.get_paper_outline,
    "Get the outline of a text",
    "The sections of one text of a paper, with the addresses of their passages.",
    NotFound,
)
serve(
    "/passages",
    tools.search_passages,
    "Search passages",
    "The passages that bear on a question, best first, within the papers or the filters given.",
    NotFound,
    paper_ids=SearchedNames,
)
serve(
    "/passages/{path:address}",
    tools.get_passage,
    "Open a passage",
    "A passage of a paper's text, with those before and after it.",
    NotFound,
)


serve(
    "/citations",
    tools.cite_papers,
    "Cite papers in a style",
    "How papers are cited in the text and in a bibliography, as text, HTML or Markdown.",
    paper_ids=PaperNames,
    page=Annotated[QuotedPage, DOCUMENTED_VISIBLE_OR_BLANK],
    csl=None,
)


@router.post(
    "/citations",
    response=answers(CitedPapers),
    summary="Cite papers in a style of your own",
    operation_id="papers_api_cite_papers_by_own_style",
)
def cite_papers(request: HttpRequest, body: CitationsBody) -> CitedPapers:
    """The same with the text of a CSL style file, in `csl`."""
    return tools.cite_papers(**dict(body))


@router.post("/checked-bibliographies", response=answers(CheckedBibliography), summary="Check a bibliography")
def check_bibliography(request: HttpRequest, body: BibliographyBody) -> CheckedBibliography:
    """For each reference, in BibTeX or a list, whether it agrees with the library's record, field by field."""
    return tools.check_bibliography(body.bibtex, body.references)


@router.post("/checked-claims", response=answers(CheckedClaims), summary="Check claims")
def check_claims(request: HttpRequest, body: ClaimsBody) -> CheckedClaims:
    """For each sentence whether the papers cited for it, or the library's, say the same, something else, or nothing."""
    return tools.check_claims(body.claims, body.cited)


@router.post("/verified-quotes", response=answers(VerifiedQuotes), summary="Verify quotes")
def verify_quotes(request: HttpRequest, body: QuotesBody) -> VerifiedQuotes:
    """For each quote, where it is in the papers, or that it is nowhere."""
    return tools.verify_quotes(body.quotes)


serve(
    "/papers-by-id",
    tools.get_papers,
    "Get the metadata of several papers",
    "The papers in the order asked for; names that fit no paper are listed.",
    paper_ids=PaperNames,
)
serve(
    "/papers/{path:paper_id}/translations/{lang}",
    tools.get_paper_translation,
    "Get a paper's translation",
    "A translation of the full text as markdown, cut after max_chars.",
    NotFound,
)
serve(
    "/papers/{path:paper_id}/references",
    tools.get_paper_references,
    "Get a paper's references, and what cites it",
    "What a paper cites, with the papers of this library among it, and which papers here cite it.",
    NotFound,
)
serve(
    "/papers/{path:paper_id}/bibtex",
    tools.get_paper_bibtex,
    "Get a paper's BibTeX",
    "The entry that is stored with the paper, unchanged.",
    NotFound,
    generated=None,
)
serve(
    "/papers/{path:paper_id}",
    tools.get_paper_metadata,
    "Get a paper's metadata",
    "Authors, venue, year, DOI, keywords, and which texts the paper has.",
    NotFound,
)
serve(
    "/facets/{category}",
    tools.list_top_facets,
    "List top values of a facet",
    "The most frequent authors, venues, keywords, institutions, tags or years.",
)
serve(
    "/stats",
    tools.get_database_stats,
    "Get the library's size and shape",
    "Papers, years, texts, templates, languages, and when the library was built.",
)
