"""Which papers are one: merge two, split one, say that they are not the same; and what is to be tidied up at all."""

from collections.abc import Callable
from pathlib import Path

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

import ingest
from ingest import BuildError, ChangeSettings, KnownPaper, Missing, UpdateReport, known_paper, merged_values
from ingest.matching.corrections import FIELDS
from papercore import limits
from papercore.bibliography.identifiers import read_identifier
from papercore.errors import InvalidInput, ToolError
from papers.catalogue.lookup import paper_url
from papers.library import additions, start_filling
from papers.library import updates as library
from papers.library.additions import ADDITIONS, AdditionState
from papers.search.tools import search_papers
from papersite.access import for_editors
from papersite.pages.library import who
from papersite.pages.paper_form import KINDS, LABELS
from papersite.pages.records import find_kept, find_record
from searches.identified_papers import look_up_papers

PAIRS_SHOWN, INCOMPLETE_SHOWN, CHOICES_SHOWN = 20, 50, 8
MISSING: dict[Missing, str] = {
    "authors": "Authors",
    "year": "Year",
    "venue": "Journal, conference or book",
    "identifier": "DOI or arXiv id",
    "text": "Text",
    "pdf": "PDF",
}


class UnknownPart(InvalidInput):
    code = "unknown_part"
    heading = "There is no such part"


@require_http_methods(["GET", "HEAD", "POST"])
@for_editors
def merge(request: HttpRequest, paper_id: str) -> HttpResponse:
    """Find the other paper, see what becomes of both, and merge them."""
    folder, paper = find_record(paper_id)
    asked = request.POST if request.method == "POST" else request.GET
    other = known_paper(folder, asked.get("with", "")) if asked.get("with", "") != paper_id else None
    context: dict[str, object] = {"record": paper, "view": "merge", "labels": LABELS, "kinds": KINDS, "other": other}
    if request.method == "POST" and other:
        act = _merge(paper_id, other.paper_id)
        states = {paper_id: request.POST.get("state", ""), other.paper_id: request.POST.get("other_state", "")}
        return _done(request, folder, act, states, paper_id) or _merge_page(request, folder, context, problem=True)
    return _merge_page(request, folder, context)


def _merge(*papers: str) -> Callable[[Path, ChangeSettings], UpdateReport]:
    return lambda folder, settings: ingest.merge_papers(folder, papers, settings=settings)


def _merge_page(
    request: HttpRequest, folder: Path, context: dict[str, object], *, problem: bool = False
) -> HttpResponse:
    paper, other = context["record"], context["other"]
    assert isinstance(paper, KnownPaper)  # noqa: S101 (tells mypy what was put there)
    if problem:
        context["problem"] = "One of the papers has changed since this page was shown. Look again."
    if isinstance(other, KnownPaper):
        merged = merged_values(folder, [paper.paper_id, other.paper_id])
        said = ((name, paper.values[name], other.values[name], merged[name]) for name in FIELDS)
        context["rows"] = [row for row in said if any(row[1:])]
    else:
        query = request.GET.get("q", "").strip()[: limits.QUERY_CHARS] or paper.title[: limits.QUERY_CHARS]
        try:
            hits = search_papers(query, limit=CHOICES_SHOWN + 1).papers
        except ToolError:  # what was typed is no query
            hits = []
        context |= {"query": query, "choices": [hit for hit in hits if hit.paper_id != paper.paper_id][:CHOICES_SHOWN]}
    return render(request, "library/merge.html", context, status=409 if problem else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@for_editors
def split(request: HttpRequest, paper_id: str) -> HttpResponse:
    """Say which of a paper's sources are about another one."""
    folder, paper = find_record(paper_id)
    context: dict[str, object] = {"record": paper, "view": "split", "labels": LABELS, "kinds": KINDS}
    if request.method != "POST":
        return render(request, "library/split.html", context)
    chosen = [int(number) for number in request.POST.getlist("entry") if number.isdecimal() and len(number) < 18]
    states = {paper_id: request.POST.get("state", "")}
    try:
        settings = library.change_settings(by=who(request), shown=states)
        report = ingest.split_paper(folder, paper_id, chosen, settings=settings)
    except BuildError as error:
        context["problem"] = additions.without_server_paths(str(error))
        return render(request, "library/split.html", context, status=409)
    start_filling()
    return HttpResponseRedirect(f"{paper_url(paper_id)}?done={report.operation}")


@require_POST
@for_editors
def look_up_again(request: HttpRequest, paper_id: str) -> HttpResponse:
    """Ask the sources by the paper's identifiers; what they say is shown like anything else that is added."""
    _, paper = find_record(paper_id)
    arxiv = f"arXiv:{paper.values['arxiv']}" if paper.values["arxiv"] else ""
    identifiers = [found for text in (paper.values["doi"], arxiv) if text and (found := read_identifier(text))]
    if not identifiers:
        raise UnknownPart("This paper has neither a DOI nor an arXiv id by which it can be looked up.")
    addition = ADDITIONS.new(AdditionState(by=who(request)))
    additions.start_reading(addition, additions.sent_files(addition), look_up_papers, again=identifiers)
    return HttpResponseRedirect(reverse("library-addition", args=[addition.id]))


@require_http_methods(["GET", "HEAD", "POST"])
@for_editors
def duplicates(request: HttpRequest) -> HttpResponse:
    """Papers that may be one, two by two, to be called the same or not the same."""
    folder = find_kept()
    problem = ""
    if request.method == "POST":
        pair = (request.POST.get("one", ""), request.POST.get("other", ""))
        states = dict(zip(pair, (request.POST.get("one_state", ""), request.POST.get("other_state", "")), strict=True))
        act = _merge(*pair) if "same" in request.POST else _tell_apart(*pair)
        if sent := _done(request, folder, act, states):
            return sent
        problem = "One of the two has changed since this page was shown. Look again."
    first = _first(request, PAIRS_SHOWN)
    pairs, total = ingest.likely_duplicates(folder, first, PAIRS_SHOWN)
    history = ingest.history(folder)
    context = {
        "pairs": pairs,
        "total": total,
        "first": first,
        "next": first // PAIRS_SHOWN + 2 if first + PAIRS_SHOWN < total else 0,
        "labels": LABELS,
        "kinds": KINDS,
        "problem": problem,
        "done": next((each for each in history if str(each.id) == request.GET.get("done")), None),
        "build": ingest.build_id_of(folder),
    }
    return render(request, "library/duplicates.html", context, status=409 if problem else 200)


def _tell_apart(one: str, other: str) -> Callable[[Path, ChangeSettings], UpdateReport]:
    return lambda folder, settings: ingest.tell_apart(folder, one, other, settings=settings)


def _done(
    request: HttpRequest,
    folder: Path,
    act: Callable[[Path, ChangeSettings], UpdateReport],
    states: dict[str, str],
    paper_id: str = "",
) -> HttpResponse | None:
    """Do it, and go to the paper that is left, or back to the list; None if somebody was faster."""
    shown = {paper: state or "none" for paper, state in states.items()}
    try:
        report = act(folder, library.change_settings(by=who(request), shown=shown))
    except BuildError:
        return None
    start_filling()
    if not paper_id:
        return HttpResponseRedirect(f"{reverse('library-duplicates')}?done={report.operation}")
    left = next(paper for paper in (paper_id, *states) if known_paper(folder, paper))
    return HttpResponseRedirect(f"{paper_url(left)}?done={report.operation}")


@require_GET
@for_editors
def incomplete(request: HttpRequest) -> HttpResponse:
    """Papers that lack something."""
    folder = find_kept()
    asked = request.GET.get("missing", "authors")
    missing = next((name for name in MISSING if name == asked), None)
    if missing is None:
        raise UnknownPart(f"Name one of {', '.join(MISSING)}.")
    first = _first(request, INCOMPLETE_SHOWN)
    papers, counts = ingest.incomplete_papers(folder, missing, first, INCOMPLETE_SHOWN)
    context = {
        "papers": papers,
        "counts": counts,
        "missing": missing,
        "names": MISSING,
        "next": first // INCOMPLETE_SHOWN + 2 if first + INCOMPLETE_SHOWN < counts[missing] else 0,
    }
    return render(request, "library/incomplete.html", context)


def _first(request: HttpRequest, size: int) -> int:
    page = request.GET.get("page", "")
    return (int(page) - 1) * size if page.isdecimal() and 0 < len(page) < 6 and int(page) else 0
