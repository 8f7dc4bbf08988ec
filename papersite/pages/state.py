"""The state of the site on one page, for staff and the owner: what is healthy, what is at work, and what went wrong."""

import os
from collections import Counter
from functools import cache

from django.conf import settings
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
from papers.drafts.kept_checks import CHECKS
from papers.library import additions
from papersite import monitoring
from papersite.accounts.owner import is_owner
from papersite.command import doctor
from papersite.last_errors import last_errors
from searches.answers.worker import configured_model
from searches.model_budget import today
from searches.models import ModelUsage

# The newest and the most frequent are enough to see what is wrong.
TOKENS_SHOWN = 50
ERRORS_SHOWN = 20
LAST_ERRORS_SHOWN = 50


class ErrorCount(Struct, frozen=True):
    """How often calls of a tool, or requests to a page, ended with a code since the site was started."""

    name: str
    code: str
    count: int


class WorkAtHand(Struct, frozen=True):
    """A piece of work that people wait for: what kind, since when, how far. Whose, and of what, it does not say."""

    kind: str
    since: str
    message: str


@require_GET
@never_cache
def state(request: HttpRequest) -> HttpResponse:
    if not is_owner(request):
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not (request.user.is_active and request.user.is_staff):
            raise PermissionDenied
    facts = (*doctor.installation(), ("confined", confinement()), *doctor.library(), *doctor.database())
    context = {
        "parts": monitoring.parts(),
        "work": work_at_hand(),
        "proposed": len(additions.proposals()),
        "model": model_use(),
        "facts": [fact for fact in facts if fact[0]],
        "tokens": tokens(),
        "last_errors": last_errors(LAST_ERRORS_SHOWN),
        "errors": error_counts(),
    }
    return render(request, "state.html", context)


@cache
def confinement() -> str:
    """A process is started to find it out, and the kernel stays the same."""
    return ": ".join(value for _, value in doctor.confinement())


def work_at_hand() -> list[WorkAtHand]:
    """The oldest first."""
    found = [
        *(("Addition", state) for _, state in additions.ADDITIONS.all()),
        *(("Check of a draft", state) for _, state in CHECKS.all()),
    ]
    working = [WorkAtHand(kind, state.created, state.message) for kind, state in found if state.is_working]
    return sorted(working, key=lambda work: work.since)


def model_use() -> str:
    """What was asked of language models today, of how much; empty where no model is configured and none was asked."""
    try:
        used = ModelUsage.objects.filter(day=today()).first() or ModelUsage(day=today())
    except DatabaseError:
        return "It cannot be read at present."
    if configured_model() is None and not used.calls:
        return ""
    counted = (("calls", used.calls, settings.MODEL_CALLS_A_DAY), ("tokens", used.tokens, settings.MODEL_TOKENS_A_DAY))
    return ", ".join(
        f"{count:,} {'of ' + format(most, ',') + ' ' if most else ''}{name}" for name, count, most in counted
    )


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
    counts: Counter[tuple[str, str]] = Counter()
    for family in registry.collect():
        for sample in family.samples:
            if sample.name == "papersite_tool_calls_total" and sample.labels["outcome"] != "ok":
                counts[sample.labels["tool"], sample.labels["outcome"]] += int(sample.value)
            elif sample.name == "papersite_requests_total" and sample.labels["status"] >= "400":
                counts[f"/{sample.labels['route'].lstrip('/')}", sample.labels["status"]] += int(sample.value)
    return [ErrorCount(*key, count) for key, count in counts.most_common(ERRORS_SHOWN)]
