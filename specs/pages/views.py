"""The pages of the specs: each reads the request, asks the core or a tool, and renders."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from papercore import limits
from specs import core, present, tools
from specs.errors import IndexNotBuilt
from specs.pages import html, structure
from specs.pages.links import change_url, spec_url
from specs.reading.catalogue import Catalogue, FileNotice, Spec
from specs.reading.projects import Project
from specs.schemas import SpecHit

# A longer source would only slow the page down; the whole is one link away.
SOURCE_CHARS = 100_000
# Specs of one project in the list; beyond these the filter is the way.
SPECS_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Listed:
    """A spec in a list."""

    spec: Spec
    url: str
    purpose: str
    scenarios: int
    changes: int


@dataclass(frozen=True, slots=True)
class ListedProject:
    project: Project
    specs: list[Listed]
    total: int
    left: int


@dataclass(frozen=True, slots=True)
class ShownHit:
    hit: SpecHit
    title: str
    url: str
    snippet: str


def spec_list(request: HttpRequest) -> HttpResponse:
    """Every project with its specs, narrowed by a word in id, title or purpose."""
    typed = request.GET.get("filter", "").strip()[: limits.QUERY_CHARS]
    only = request.GET.get("project") or None
    listed = [_listed(project, typed) for project in core.chosen_projects(only)]
    context = {
        "listed": listed,
        "typed": typed,
        "only": only,
        "projects": core.chosen_projects(None),
        "total": sum(item.total for item in listed),
        "warnings": len(core.all_notices(only)),
    }
    return render(request, "specs/list.html", context)


def project_page(request: HttpRequest, project: str) -> HttpResponse:
    """A project's address is the list narrowed to it."""
    (chosen,) = core.chosen_projects(project)
    return redirect(reverse("specs", query={"project": chosen.name}))


def _listed(project: Project, typed: str) -> ListedProject:
    known: Catalogue = core.catalogue(project)
    touched = [delta.spec.local_id for change in core.get_changes(project.name) for delta in change.deltas]
    wanted = [
        spec
        for spec in known.specs.values()
        if typed.casefold() in f"{spec.id} {spec.document.title} {spec.document.purpose}".casefold()
    ]
    rows = [
        Listed(
            spec=spec,
            url=spec_url(spec),
            purpose=html.inline(present.shorten(spec.document.purpose)),
            scenarios=sum(len(item.scenarios) for item in spec.document.in_force),
            changes=touched.count(spec.local_id),
        )
        for spec in wanted[:SPECS_SHOWN]
    ]
    return ListedProject(project, rows, len(known.specs), left=len(wanted) - len(rows))


def spec_page(request: HttpRequest, project: str, local_id: str) -> HttpResponse:
    spec = core.get_local_spec(project, local_id)
    changes = structure.open_changes(spec, core.get_changes(project))
    requirements = structure.shown_requirements(spec.document.in_force, structure.marks(changes))
    scenarios = sum(len(item.scenarios) for item in spec.document.in_force)
    context = {
        "spec": spec,
        "url": spec_url(spec).rstrip("/"),
        "several": len(core.chosen_projects(None)) > 1,
        "lang": html.language(spec.document.title + spec.document.purpose),
        "purpose": html.block(spec.document.purpose),
        "requirements": requirements,
        "total": len(spec.document.in_force),
        "left": len(spec.document.in_force) - len(requirements),
        "scenarios": scenarios,
        "deep": scenarios <= structure.OUTLINE_SCENARIOS,
        "changes": changes,
        "notices": spec.document.notices,
        "source": spec.source[:SOURCE_CHARS],
        "cut": len(spec.source) > SOURCE_CHARS,
    }
    return render(request, "specs/spec.html", context)


def search_page(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    only = request.GET.get("project") or None
    context: dict[str, object] = {"query": query, "only": only, "projects": core.chosen_projects(None)}
    status = 200
    if query:
        try:
            found = tools.search_specs(query, project=only)
            context |= {"found": found, "hits": [_shown_hit(hit, query) for hit in found.results]}
        except IndexNotBuilt as error:
            context["missing"] = error.message
            status = 503
    return render(request, "specs/search.html", context, status=status)


def _shown_hit(hit: SpecHit, query: str) -> ShownHit:
    spec = core.get_spec_by_id(hit.spec_id)
    url = f"{spec_url(spec)}#{structure.anchor_of(spec, hit.requirement)}"
    return ShownHit(hit, spec.document.title, url, html.marked(hit.snippet, query))


def change_list(request: HttpRequest) -> HttpResponse:
    archived = request.GET.get("archived") == "1"
    only = request.GET.get("project") or None
    changes = core.get_changes(only, archived=archived)
    rows = [
        {
            "change": present.change_summary(change),
            "url": change_url(change),
            "count": sum(structure.delta_count(delta) for delta in change.deltas),
            "touched": [delta.spec.local_id for delta in change.deltas],
        }
        for change in changes
    ]
    context = {"rows": rows, "archived": archived, "several": len(core.chosen_projects(None)) > 1}
    return render(request, "specs/changes.html", context)


def change_page(request: HttpRequest, project: str, local_id: str) -> HttpResponse:
    change = core.get_change_by_id(local_id, project)
    known = core.catalogue(core.chosen_projects(project)[0]).by_local_id
    parts = [structure.shown_delta(delta, known.get(delta.spec.local_id)) for delta in change.deltas]
    context = {
        "change": change,
        "summary": present.change_summary(change),
        "details": present.change_details(change),
        "url": change_url(change).rstrip("/"),
        "why": html.block(change.proposal.why),
        "what": html.block(change.proposal.what),
        "parts": parts,
    }
    return render(request, "specs/change.html", context)


def warning_page(request: HttpRequest) -> HttpResponse:
    only = request.GET.get("project") or None
    notices = sorted(core.all_notices(only), key=lambda item: (item.project, item.file, item.notice.line))
    context = {
        "rows": [{"item": item, "url": _url_of(item)} for item in notices],
        "files": len({(item.project, item.file) for item in notices}),
        "several": len(core.chosen_projects(None)) > 1,
    }
    return render(request, "specs/warnings.html", context)


def _url_of(item: FileNotice) -> str:
    """The page of the spec that a notice is about; empty if the file could not be read."""
    known = core.catalogue(core.chosen_projects(item.project)[0]).specs.get(item.spec_id)
    return spec_url(known) if known else ""
