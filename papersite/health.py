"""Health probes: whether the site is alive, and the state of each of its parts."""

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import papers.health
import searches.health
import specs.health
from papercore.health import Part, State
from papersite.access import may_see_details
from papersite.data import database as database_health


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answers as soon as the site serves, without looking at the snapshot or the database."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """503 only without a snapshot: papers can be read whatever else fails."""
    found = parts()
    status = overall(found)
    details = {"parts": {part.name: part_body(part) for part in found}} if may_see_details(request) else {}
    return JsonResponse({"status": status, **details}, status=503 if status == "missing" else 200)


def parts() -> list[Part]:
    of_specs = [specs.health.part()] if settings.SPECS else []
    of_searches = [searches.health.part()] if settings.SEARCHES else []
    return [*papers.health.parts(), *of_specs, database_health.part(), *of_searches]


def overall(found: list[Part]) -> State:
    """Without a snapshot nothing can be served; without any other part, most can."""
    if any(part.name == "snapshot" and part.state == "missing" for part in found):
        return "missing"
    return "ok" if all(part.state == "ok" for part in found) else "degraded"


def part_body(part: Part) -> dict[str, str | int]:
    hint = {"hint": part.hint} if part.hint else {}
    return {"state": part.state, **hint, **part.counts}
