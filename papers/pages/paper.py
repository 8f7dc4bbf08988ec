"""One paper: its texts, two of them side by side, its PDF, its citation, and its neighbours in a list."""

from collections.abc import Callable

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from msgspec import Struct

from papercore import limits
from papercore.errors import InvalidInput, ToolError
from papers import tools
from papers.catalogue.citations import citation_tags, citations, json_ld
from papers.catalogue.lookup import find_paper, in_list, paper_url
from papers.catalogue.names import display_names
from papers.catalogue.schemas import PaperMetadata
from papers.catalogue.text_kinds import origin_of
from papers.pages.caching import snapshot_page
from papers.pages.charts import DOT, WIDTH, citation_graph
from papers.pages.find_in_paper import find_in_paper, opened_passage
from papers.references.tools import citations_of
from papers.search.list_query import read_list_query
from papers.search.results import neighbours, similar_papers
from papers.snapshot import served
from papers.snapshot.errors import SourceNotAvailable, TranslationNotAvailable
from papers.texts import rendered
from papers.texts.named import ABSTRACT, SOURCE
from papers.texts.rendered import Shown, TextChoice
from papers.texts.side_by_side import rows

Show = Callable[[PaperMetadata, TextChoice, str, int], Shown]
# Enough to continue from; not a second list of results.
SIMILAR = 5


class Tab(Struct, frozen=True):
    """A view of the paper; one that the library does not have has no address."""

    label: str
    url: str = ""
    current: bool = False


@snapshot_page
def paper(request: HttpRequest, paper_id: str) -> HttpResponse:
    """The preferred summary; else the source; else the metadata alone. Other names of the paper lead to its id."""
    found = tools.get_paper_metadata(paper_id)
    return _text_page(request, found) if found.paper_id == paper_id else redirect(paper_url(found.paper_id))


@snapshot_page
def summary(request: HttpRequest, paper_id: str, template: str) -> HttpResponse:
    found = tools.get_paper_metadata(paper_id)
    tools.get_paper_summary(paper_id, template, 1)  # raises if there is none
    return _text_page(request, found, f"summary:{template}")


@snapshot_page
def source(request: HttpRequest, paper_id: str) -> HttpResponse:
    found = tools.get_paper_metadata(paper_id)
    if not found.has_source:
        raise SourceNotAvailable(f"The source text of paper {paper_id} is not in this library.", paper_id=paper_id)
    return _text_page(request, found, "source")


@snapshot_page
def translation(request: HttpRequest, paper_id: str, lang: str) -> HttpResponse:
    found = tools.get_paper_metadata(paper_id)
    if lang not in found.available_translations:
        languages = ", ".join(found.available_translations) or "none"
        raise TranslationNotAvailable(f"There is no such translation. Available: {languages}.", paper_id=paper_id)
    return _text_page(request, found, f"translation:{lang}")


# The browser's PDF reader shows the file in a frame.
@csp_replace({"object-src": ["'self'"]})
@snapshot_page
def pdf(request: HttpRequest, paper_id: str) -> HttpResponse:
    found = tools.get_paper_metadata(paper_id)
    if not found.has_pdf:
        raise SourceNotAvailable(f"This library has no PDF of paper {paper_id}.", paper_id=paper_id)
    choices = rendered.choices(found)
    text = next((choice for choice in choices if choice.key == SOURCE), None)
    show = rendered.show if "passage" in request.GET else rendered.show_soon
    beside = _readable(found, text, "s", 2, show) if text else None
    named = request.GET.get("page", "")
    context = paper_context(request, found, choices, "pdf") | {
        "page": int(named) if named.isascii() and named.isdigit() and len(named) < 7 else 0,
        "beside": beside,
        "opened": opened_passage(request, found, SOURCE, None) if beside else None,
        # On a narrow screen, one of the two.
        "shown": "text" if request.GET.get("show") == "text" else "pdf",
    }
    return _with_texts(request, "papers/pdf.html", context, [beside] if beside else [])


@snapshot_page
def bibtex(request: HttpRequest, paper_id: str) -> HttpResponse:
    found = tools.get_paper_metadata(paper_id)
    return render(request, "papers/bibtex.html", paper_context(request, found, rendered.choices(found), "bibtex"))


@snapshot_page
def references(request: HttpRequest, paper_id: str) -> HttpResponse:
    found = tools.get_paper_metadata(paper_id)
    cited = citations_of(found.paper_id)
    listed = list(zip(cited.references, cited.cited, strict=True))
    context = paper_context(request, found, rendered.choices(found), "references") | {
        "references": listed[: limits.REFERENCES],
        "in_library": len({paper.paper_id for paper in cited.cited if paper}),
        "citing": cited.citing,
        "graph": citation_graph(cited),
        "graph_width": WIDTH,
        "graph_dot": DOT,
    }
    return render(request, "papers/references.html", context)


@snapshot_page
def side_by_side(request: HttpRequest, paper_id: str) -> HttpResponse:
    """Any two texts of a paper in rows, what says the same beside each other."""
    found = tools.get_paper_metadata(paper_id)
    available = rendered.choices(found)
    if len(available) < 2:
        return redirect(paper_url(paper_id))
    left, right = _sides(request.GET, available)
    panes = [_readable(found, left, "a"), _readable(found, right, "b")]
    context = {
        "paper": found,
        "choices": available,
        "panes": panes,
        "rows": rows(*(pane.shown.rendered.blocks if pane.shown else () for pane in panes)),
        "wide": True,
    }
    return _with_texts(request, "papers/side_by_side.html", context, panes)


def _sides(given: QueryDict, available: list[TextChoice]) -> tuple[TextChoice, TextChoice]:
    """What the reader chose; else the source and its first translation, or the first two texts."""
    by_key = {choice.key: choice for choice in available}
    chosen = [given.get("left", ""), given.get("right", "")]
    wrong = [name for name, key in zip(("left", "right"), chosen, strict=True) if key and key not in by_key]
    if wrong:
        raise InvalidInput(f"{wrong[0]}: choose one of {', '.join(by_key)}.")
    likely = [key for key in by_key if key == "source" or key.startswith("translation:")]
    left = chosen[0] or (likely[0] if len(likely) > 1 else available[0].key)
    right = chosen[1] or next(key for key in [*likely, *by_key] if key != left)
    return by_key[left], by_key[right]


class Pane(Struct, frozen=True):
    choice: TextChoice
    shown: Shown | None
    problem: str


def _readable(paper: PaperMetadata, choice: TextChoice, prefix: str, top: int = 3, show: Show = rendered.show) -> Pane:
    """The text, or why its file cannot be read; the rest of the page still works."""
    try:
        return Pane(choice, show(paper, choice, prefix, top), "")
    except ToolError as error:
        return Pane(choice, None, error.message)


def _text_page(request: HttpRequest, paper: PaperMetadata, key: str = "") -> HttpResponse:
    """The paper with one of its texts; the first of them if none is named."""
    choices = rendered.choices(paper)
    choice = next((choice for choice in choices if choice.key == key or not key), None)
    context = paper_context(request, paper, choices, choice.key if choice else "")
    if not choice:
        context["opened"] = opened_passage(request, paper, key or ABSTRACT, None)
        return render(request, "papers/paper.html", context)
    # A reader who looks for a place needs the whole text.
    show = rendered.show if request.GET.keys() & {"passage", "find"} else rendered.show_soon
    pane = _readable(paper, choice, "s", 2, show)
    found = find_in_paper(request, paper, choices, pane.shown) if pane.shown else None
    # A paper's own address is that of its abstract.
    opened = opened_passage(request, paper, key or ABSTRACT, found)
    is_ocr = choice.key == "source" and origin_of(find_paper(paper.paper_id), "source").kind == "ocr_text"
    context |= {"pane": pane, "choice": choice, "found": found, "opened": opened, "is_ocr": is_ocr}
    return _with_texts(request, "papers/paper.html", context, [pane])


def _with_texts(request: HttpRequest, template: str, context: dict[str, object], panes: list[Pane]) -> HttpResponse:
    response = render(request, template, context)
    if any(pane.problem or (pane.shown and pane.shown.is_beginning) for pane in panes):
        # Not to be kept: the file may be there again, or the rest be ready, before the library changes.
        patch_cache_control(response, no_store=True)
    return response


def paper_context(
    request: HttpRequest, paper: PaperMetadata, choices: list[TextChoice], view: str
) -> dict[str, object]:
    """What the views of a paper share: its head, tabs, citation and side column."""
    canonical = request.build_absolute_uri(paper_url(paper.paper_id))
    cited = citations(paper)
    similar_by = "by shared words" if served.current_index() else "by shared keywords"
    return {
        "paper": paper,
        "canonical": canonical,
        "tabs": tabs(paper, view),
        "templates": [choice for choice in choices if choice.key.startswith("summary:")],
        "languages": [choice for choice in choices if choice.key.startswith("translation:")],
        "citations": cited,
        "cite_open": "cite" in request.GET,
        "similar": similar_papers(paper.paper_id, SIMILAR).papers,
        "similar_by": "by meaning" if served.searches_by_meaning() else similar_by,
        "position": _list_position(request),
        "institutions": list(zip(paper.institutions, display_names("institution", paper.institutions), strict=True)),
        "citation_tags": citation_tags(paper, cited.citation, request.build_absolute_uri),
        "json_ld": json_ld(paper, cited.citation, canonical),
        "can_split": len(choices) > 1,
        "pane": None,
    }


def tabs(paper: PaperMetadata, view: str) -> list[Tab]:
    url = paper_url(paper.paper_id)
    summary = Tab("Summary", url, view.startswith("summary:")) if paper.available_summary_templates else None
    source = Tab("Source", paper_url(paper.paper_id, "source"), view == "source") if paper.has_source else None
    languages = paper.available_translations
    first = paper_url(paper.paper_id, "translation", languages[0]) if languages else ""
    translation = Tab("Translation", first, view.startswith("translation:")) if languages else None
    file = Tab("PDF", paper_url(paper.paper_id, "pdf"), view == "pdf") if paper.has_pdf else None
    return [
        summary or Tab("Summary"),
        source or Tab("Source"),
        translation or Tab("Translation"),
        file or Tab("PDF"),
        Tab("References", paper_url(paper.paper_id, "references"), view == "references"),
        Tab("BibTeX", paper_url(paper.paper_id, "bibtex"), view == "bibtex"),
    ]


class ListPosition(Struct, frozen=True):
    """The list the reader came from, and the papers next to this one in it."""

    list_url: str
    previous: str | None
    next: str | None
    number: int


def _list_position(request: HttpRequest) -> ListPosition | None:
    """From `list` (the query string of a search) and `at` (the position in it); nonsense is ignored."""
    at = request.GET.get("at", "")
    if not (at.isascii() and at.isdigit() and 0 < int(at) <= limits.OFFSET):
        return None
    query_string, number = request.GET.get("list", ""), int(at)
    try:
        query = read_list_query(QueryDict(query_string))
        before, after = neighbours(query, number)
    except ToolError:
        return None

    def url(paper_id: str | None, position: int) -> str | None:
        return in_list(paper_url(paper_id), query_string, position) if paper_id else None

    return ListPosition(query.url, url(before, number - 1), url(after, number + 1), number)
