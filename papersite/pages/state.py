"""The state of the site on one page, for staff: what /readyz, /metrics and `papersite doctor` know."""

import os

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from msgspec import Struct
from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector

from mcpapi.models import McpToken
from papersite import monitoring
from papersite.command import doctor

# The newest and the most frequent are enough to see what is wrong.
TOKENS_SHOWN = 50
ERRORS_SHOWN = 20


class ErrorCount(Struct, frozen=True):
    """How often calls of a tool ended with a code since the site was started."""

    tool: str
    code: str
    count: int


@require_GET
@never_cache
def state(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not (request.user.is_active and request.user.is_staff):
        raise PermissionDenied
    context = {
        "parts": monitoring.parts(),
        "facts": [fact for fact in (*doctor.installation(), *doctor.library(), *doctor.database()) if fact[0]],
        "tokens": tokens(),
        "errors": error_counts(),
    }
    return render(request, "state.html", context)


def tokens() -> list[McpToken]:
    try:
        return list(McpToken.objects.select_related("owner").order_by("-created_at")[:TOKENS_SHOWN])
    except DatabaseError:
        return []


def error_counts() -> list[ErrorCount]:
    """Of all workers, the most frequent first."""
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    counts = [
        ErrorCount(sample.labels["tool"], sample.labels["outcome"], int(sample.value))
        for family in registry.collect()
        if family.name == "papersite_tool_calls"
        for sample in family.samples
        if sample.name.endswith("_total") and sample.labels["outcome"] != "ok"
    ]
    return sorted(counts, key=lambda found: -found.count)[:ERRORS_SHOWN]
