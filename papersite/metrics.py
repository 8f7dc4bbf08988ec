"""GET /metrics: counts and durations in Prometheus form, summed over all workers."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from mcpapi.protocol.calls import SECONDS_BUCKETS
from papercore.health import State
from papers.snapshot import served
from papersite import health

REQUESTS = Counter("papersite_requests", "HTTP requests.", ["route", "method", "status"])
REQUEST_SECONDS = Histogram("papersite_request_seconds", "How long requests took.", ["route"], buckets=SECONDS_BUCKETS)
INTERNAL_ERRORS = Counter("papersite_internal_errors", "Requests that ended in an unexpected error.")
STATE_VALUES: dict[State, float] = {"ok": 1, "degraded": 0.5, "missing": 0}


class CurrentState(Collector):
    """What is measured at the moment of the scrape, rather than counted."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        states = GaugeMetricFamily("papersite_part", "1: ok, 0.5: degraded, 0: missing.", labels=["part"])
        for part in health.parts():
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


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    registry = CollectorRegistry()
    registry.register(CurrentState())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
    return HttpResponse(generate_latest(REGISTRY) + generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
