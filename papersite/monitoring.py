"""What monitoring asks for: health probes with the state of each part, and metrics in Prometheus form."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

import papers.health
import searches.health
import specs.health
from mcpapi.protocol.calls import SECONDS_BUCKETS
from papercore.health import Part, State
from papers.snapshot import served
from papersite.access import may_see_details
from papersite.data import database

REQUESTS = Counter("papersite_requests", "HTTP requests.", ["route", "method", "status"])
REQUEST_SECONDS = Histogram("papersite_request_seconds", "How long requests took.", ["route"], buckets=SECONDS_BUCKETS)
INTERNAL_ERRORS = Counter("papersite_internal_errors", "Requests that ended in an unexpected error.")
STATE_VALUES: dict[State, float] = {"ok": 1, "degraded": 0.5, "missing": 0}


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
    return [*papers.health.parts(), *of_specs, database.part(), *of_searches]


def overall(found: list[Part]) -> State:
    """Without a snapshot nothing can be served; without any other part, most can."""
    if any(part.name == "snapshot" and part.state == "missing" for part in found):
        return "missing"
    return "ok" if all(part.state == "ok" for part in found) else "degraded"


def part_body(part: Part) -> dict[str, str | int]:
    hint = {"hint": part.hint} if part.hint else {}
    return {"state": part.state, **hint, **part.counts}


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    registry = CollectorRegistry()
    registry.register(CurrentState())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
    return HttpResponse(generate_latest(REGISTRY) + generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class CurrentState(Collector):
    """What is measured at the moment of the scrape, rather than counted."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        states = GaugeMetricFamily("papersite_part", "1: ok, 0.5: degraded, 0: missing.", labels=["part"])
        for part in parts():
            states.add_metric([part.name], STATE_VALUES[part.state])
        yield states
        age = snapshot_age()
        if age is not None:
            yield GaugeMetricFamily("papersite_snapshot_age_seconds", "Since the served snapshot was built.", age)


def snapshot_age() -> float | None:
    good = served.served_file().good
    try:
        built = datetime.fromisoformat(good.facts.built_at if good else "")
    except ValueError:
        return None
    return (datetime.now(UTC) - (built if built.tzinfo else built.replace(tzinfo=UTC))).total_seconds()
