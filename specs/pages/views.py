"""The pages of the specs: each reads the request, calls the core or a tool, and renders."""

from itertools import groupby
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from msgspec import Struct

from papercore import limits
from papercore.text import cjk_language
from specs import core, serializers, tools
from specs.pages.changes import marks, open_changes, shown_delta
from specs.pages.requirements import (
    block_html,
    change_url,
    highlighted,
    inline_html,
    requirement_anchor,
    shown_requirements,
    spec_url,
)
from specs.reading.catalogue import FileNotice, Spec, current_catalogue
from specs.reading.document import Notice
from specs.reading.files import Project
from specs.schemas import SpecHit
from specs.search.search import IndexNotBuilt
from specs.verification import tests_of_projects, tests_of_spec

# A longer source would only slow the page down; the Markdown has it whole.
SOURCE_CHARS = 100_000
# Specs of one project in the list; the filter finds the others.
SPECS_SHOWN = 200
# With more scenarios the outline names only requirements.
OUTLINE_SCENARIOS = 14


class ListedSpec(Struct, frozen=True):
    """A spec in a list."""

    spec: Spec
    url: str
    purpose: str
    scenarios: int
    changes: int


class ListedProject(Struct, frozen=True):
    """`scenarios` and how many of them have a test, where it is known where the tests are."""

    project: Project
    specs: list[ListedSpec]
    total: int
    left: int
    scenarios: int
    tested: int | None


class ShownHit(Struct, frozen=True):
    hit: SpecHit
    title: str
    url: str
    snippet: str


class NoticedFile(Struct, frozen=True):
    """A file with warnings; `url` leads to its spec, and is empty if the file could not be read."""

    project: str
    name: str
    url: str
    notices: list[Notice]


def spec_list(request: HttpRequest) -> HttpResponse:
    """Every project with its specs, narrowed by a word in id, title or purpose."""
    typed = request.GET.get("filter", "").strip()[: limits.QUERY_CHARS]
    only = request.GET.get("project") or None
    groups = [_listed_project(project, typed) for project in core.select_projects(only)]
    context = {
        "groups": groups,
        "typed": typed,
        "only": only,
        "projects": core.select_projects(None),
        "total": sum(group.total for group in groups),
        "warnings": len(core.all_notices(only)),
    }
    return render(request, "specs/list.html", context)


def project_page(request: HttpRequest, project: str) -> HttpResponse:
    """A project's address is the list narrowed to it."""
    (selected,) = core.select_projects(project)
    return redirect(reverse("specs", query={"project": selected.name}))


def _listed_project(project: Project, typed: str) -> ListedProject:
    catalogue = current_catalogue(project)
    touched = [delta.spec.local_id for change in core.get_changes(project.name) for delta in change.deltas]
    wanted = [
        spec
        for spec in catalogue.specs.values()
        if typed.casefold() in f"{spec.id} {spec.document.title} {spec.document.purpose}".casefold()
    ]
    rows = [
        ListedSpec(
            spec=spec,
            url=spec_url(spec),
            purpose=inline_html(serializers.short_purpose(spec)),
            scenarios=sum(len(item.scenarios) for item in spec.document.in_force),
            changes=touched.count(spec.local_id),
        )
        for spec in wanted[:SPECS_SHOWN]
    ]
    tests = tests_of_projects(project.name)
    scenarios = [scenario for row in tests or [] for scenario in row.scenarios]
    return ListedProject(
        project,
        rows,
        len(catalogue.specs),
        left=len(wanted) - len(rows),
        scenarios=len(scenarios),
        tested=None if tests is None else sum(bool(scenario.tests) for scenario in scenarios),
    )


def spec_page(request: HttpRequest, project: str, local_id: str) -> HttpResponse:
    spec = core.get_local_spec(project, local_id)
    changes = open_changes(spec, core.get_changes(project))
    tests = tests_of_spec(spec)
    requirements = shown_requirements(spec.document.in_force, marks(changes), tests)
    scenarios = sum(len(item.scenarios) for item in spec.document.in_force)
    context = {
        "spec": spec,
        "address": spec_url(spec).rstrip("/"),
        "several": len(core.select_projects(None)) > 1,
        "lang": cjk_language(spec.document.title + spec.document.purpose),
        "purpose": block_html(spec.document.purpose),
        "requirements": requirements,
        "total": len(spec.document.in_force),
        "unit": "section" if spec.document.by_sections else "requirement",
        "left": len(spec.document.in_force) - len(requirements),
        "scenarios": scenarios,
        "tested": None if not tests else sum(bool(item.tests) for row in tests for item in row.scenarios),
        "deep": scenarios <= OUTLINE_SCENARIOS,
        "changes": changes,
        "notices": spec.document.notices,
        "source": spec.source[:SOURCE_CHARS],
        "cut": len(spec.source) > SOURCE_CHARS,
    }
    return render(request, "specs/spec.html", context)


def search_page(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    only = request.GET.get("project") or None
    context: dict[str, object] = {"query": query, "only": only, "projects": core.select_projects(None)}
    context |= {"found": None, "hits": [], "missing": "", "searchable": core.is_searchable(only)}
    context["parameters"] = "?" + urlencode({"q": query} | ({"project": only} if only else {}))
    status = 200
    if query:
        try:
            found = tools.search_specs(query, project=only)
            context |= {"found": found, "hits": [_shown_hit(hit, query) for hit in found.results]}
        except IndexNotBuilt as error:
            context["missing"] = error.explanation()
            status = 503
    return render(request, "specs/search.html", context, status=status)


def _shown_hit(hit: SpecHit, query: str) -> ShownHit:
    spec = core.get_spec_by_id(hit.spec_id)
    url = f"{spec_url(spec)}#{requirement_anchor(spec, hit.requirement)}"
    return ShownHit(hit, spec.document.title, url, highlighted(hit.snippet, query))


def change_list(request: HttpRequest) -> HttpResponse:
    archived = request.GET.get("archived") == "1"
    only = request.GET.get("project") or None
    changes = core.get_changes(only, archived=archived)
    rows = [
        {
            "change": serializers.change_summary(change),
            "url": change_url(change),
            "count": sum(delta.requirement_count for delta in change.deltas),
            "touched": [delta.spec.local_id for delta in change.deltas],
        }
        for change in changes
    ]
    context = {"rows": rows, "archived": archived, "several": len(core.select_projects(None)) > 1}
    return render(request, "specs/changes.html", context)


def change_page(request: HttpRequest, project: str, local_id: str) -> HttpResponse:
    change = core.get_change_by_id(local_id, project)
    specs = core.local_specs(project)
    parts = [shown_delta(delta, specs.get(delta.spec.local_id)) for delta in change.deltas]
    context = {
        "change": change,
        "summary": serializers.change_summary(change),
        "details": serializers.change_details(change, specs),
        "address": change_url(change).rstrip("/"),
        "why": block_html(change.proposal.why),
        "what": block_html(change.proposal.what),
        "parts": parts,
    }
    return render(request, "specs/change.html", context)


def warning_page(request: HttpRequest) -> HttpResponse:
    only = request.GET.get("project") or None
    notices = sorted(core.all_notices(only), key=lambda item: (item.project, item.file, item.notice.line))
    files = [
        NoticedFile(project, name, _notice_url(items[0]), [item.notice for item in items])
        for (project, name), group in groupby(notices, key=lambda item: (item.project, item.file))
        for items in [list(group)]
    ]
    context = {"files": files, "total": len(notices), "several": len(core.select_projects(None)) > 1}
    return render(request, "specs/warnings.html", context)


def _notice_url(item: FileNotice) -> str:
    """The page of the spec that a notice is about; empty if the file could not be read."""
    (project,) = core.select_projects(item.project)
    spec = current_catalogue(project).specs.get(item.spec_id)
    return spec_url(spec) if spec else ""
