"""Whether the site is alive, and how each of its parts is."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import papers.health
import specs.health
from papercore.health import Part, State
from papersite import storage


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answers as soon as the site serves; asks nothing of the snapshot or the database."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """503 only without a snapshot: whatever else fails, reading goes on."""
    found = parts()
    status = overall(found)
    body = {"status": status, "parts": {part.name: described(part) for part in found}}
    return JsonResponse(body, status=503 if status == "missing" else 200)


def parts() -> list[Part]:
    return [*papers.health.parts(), *specs.health.parts(), storage.part()]


def overall(found: list[Part]) -> State:
    """Nothing can be served without a snapshot; without any other part, much can."""
    if any(part.name == "snapshot" and part.state == "missing" for part in found):
        return "missing"
    return "ok" if all(part.state == "ok" for part in found) else "degraded"


def described(part: Part) -> dict[str, str]:
    return {"state": part.state, "hint": part.hint} if part.hint else {"state": part.state}
