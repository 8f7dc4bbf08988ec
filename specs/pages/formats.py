"""The pages as JSON and Markdown for programs: the same addresses ending in .json and .md."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from pydantic import BaseModel

from specs import core, serializers, tools
from specs.schemas import Warnings


def list_file(request: HttpRequest, kind: str) -> HttpResponse:
    found = tools.list_specs(request.GET.get("project") or None)
    if kind == "json":
        return _json(found)
    lines = [
        f"- **{spec.id}**: {spec.title} ({spec.requirement_count} requirements). {spec.purpose}" for spec in found.specs
    ]
    return _markdown("# Requirement specs\n\n" + "\n".join(lines) + "\n")


def spec_file(request: HttpRequest, project: str, local_id: str, kind: str) -> HttpResponse:
    """The spec with its scenarios as JSON, or its file unchanged."""
    spec = core.get_local_spec(project, local_id)
    return _json(serializers.full_spec(spec)) if kind == "json" else _markdown(spec.source)


def search_file(request: HttpRequest, kind: str) -> HttpResponse:
    found = tools.search_specs(request.GET.get("q", ""), project=request.GET.get("project") or None)
    if kind == "json":
        return _json(found)
    lines = [f"- {hit.score:.2f} **{hit.spec_id}**: {hit.requirement}. {hit.snippet}" for hit in found.results]
    return _markdown("# Requirements found\n\n" + ("\n".join(lines) or "None is close enough.") + "\n")


def change_list_file(request: HttpRequest, kind: str) -> HttpResponse:
    found = tools.list_changes(request.GET.get("project") or None, archived=request.GET.get("archived") == "1")
    if kind == "json":
        return _json(found)
    lines = [
        f"- **{change.id}**: {change.title} ({change.added} added, {change.modified} modified, "
        f"{change.removed} removed, {change.renamed} renamed; {change.tasks_done} of {change.tasks_total} tasks done)"
        for change in found.changes
    ]
    return _markdown("# Changes\n\n" + ("\n".join(lines) or "None.") + "\n")


def change_file(request: HttpRequest, project: str, local_id: str, kind: str) -> HttpResponse:
    """The change with its deltas by kind as JSON, or why and what, then each delta file unchanged."""
    change = core.get_change_by_id(local_id, project)
    if kind == "json":
        return _json(serializers.change_details(change, core.local_specs(change.project)))
    parts = [f"# {change.proposal.title or change.id}"]
    parts += [f"## Why\n\n{change.proposal.why}"] if change.proposal.why else []
    parts += [f"## What Changes\n\n{change.proposal.what}"] if change.proposal.what else []
    parts += [f"---\n\n<!-- {delta.spec.file} -->\n\n{delta.spec.source.strip()}" for delta in change.deltas]
    return _markdown("\n\n".join(parts) + "\n")


def warnings_file(request: HttpRequest, kind: str) -> HttpResponse:
    notices = core.all_notices(request.GET.get("project") or None)
    lines = [serializers.warning(item.file, item.notice) for item in notices]
    if kind == "json":
        return _json(Warnings(warnings=lines))
    return _markdown("# Warnings\n\n" + ("\n".join(f"- {line}" for line in lines) or "None.") + "\n")


def _json(model: BaseModel) -> JsonResponse:
    return JsonResponse(model.model_dump(), json_dumps_params={"ensure_ascii": False, "indent": 2})


def _markdown(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")
