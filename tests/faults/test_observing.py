"""What an operator sees of a running server: lines, probes, metrics."""

import re
import subprocess
import sys
import time

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.faults.conftest import MakeServer
from tests.server import ROOT, SiteServer, environment, rpc, wait_for


def test_each_request_and_tool_call_is_one_line_without_what_was_asked(server: SiteServer) -> None:
    message = rpc("tools/call", {"name": "search_papers", "arguments": {"query": "xylophone"}})
    given = {"X-Request-ID": "from-the-proxy-1"}
    answer = httpx.post(f"{server.address}/mcp", json=message, headers=given, trust_env=False, timeout=30)
    assert answer.headers["X-Request-ID"] == "from-the-proxy-1"
    (call,) = [line for line in server.lines("tool call") if line.get("request_id") == "from-the-proxy-1"]
    (request,) = [line for line in server.lines("request") if line.get("request_id") == "from-the-proxy-1"]
    assert (call["server"], call["tool"], call["outcome"]) == ("papers", "search_papers", "ok")
    assert (request["method"], request["route"], request["status"]) == ("POST", "mcp", 200)
    assert request["bytes_out"] == len(answer.content)
    assert request["ms"] >= call["ms"]
    assert "xylophone" not in server.log()


def test_pages_and_files_are_written_down_by_route(server: SiteServer) -> None:
    given = {path: server.get(path).headers["X-Request-ID"] for path in ("/admin/login/", "/nothing-here?q=secret")}
    routes = {line["request_id"]: line["route"] for line in server.lines("request")}
    assert routes[given["/admin/login/"]] == "admin/login/"
    assert routes[given["/nothing-here?q=secret"]] == "unknown"
    assert all(re.fullmatch("[0-9a-f]{16}", value) for value in given.values())


def test_a_request_id_that_is_no_id_is_replaced(server: SiteServer) -> None:
    answer = server.get("/healthz", **{"X-Request-ID": 'a"b c'})
    assert re.fullmatch("[0-9a-f]{16}", answer.headers["X-Request-ID"])


def test_metrics_are_summed_over_all_workers(server: SiteServer) -> None:
    wait_for(lambda: len(server.workers()) == 2, "two workers")
    calls = 'papersite_tool_calls_total{"outcome": "ok", "tool": "get_database_stats"}'
    times = 'papersite_tool_seconds_count{"tool": "get_database_stats"}'
    before = metric_values(server)
    for _ in range(30):  # a new connection each, so that both workers get some
        server.call("get_database_stats")
    server.call("get_paper_metadata", paper_id="nobody")
    after = metric_values(server)
    assert [after[name] - before.get(name, 0) for name in (calls, times)] == [30, 30]
    assert after['papersite_tool_calls_total{"outcome": "paper_not_found", "tool": "get_paper_metadata"}'] >= 1
    assert after['papersite_requests_total{"method": "POST", "route": "mcp", "status": "200"}'] >= 31
    assert after['papersite_part{"part": "snapshot"}'] == 1
    assert after["papersite_snapshot_age_seconds{}"] > 0


def metric_values(server: SiteServer) -> dict[str, float]:
    families = text_string_to_metric_families(server.get("/metrics").text)
    samples = [sample for family in families for sample in family.samples]
    return {f"{sample.name}{ordered(sample.labels)}": sample.value for sample in samples}


def ordered(labels: dict[str, str]) -> str:
    return "{" + ", ".join(f'"{name}": "{labels[name]}"' for name in sorted(labels)) + "}"


def test_everything_is_ready_in_a_whole_library(server: SiteServer) -> None:
    answer = server.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"
    assert {name: part["state"] for name, part in answer.json()["parts"].items()} == {
        "snapshot": "ok",
        "index": "ok",
        "assets": "ok",
        "specs": "ok",
        "database": "ok",
        "searches": "ok",
    }


def test_limits_are_counted_over_all_workers(make_server: MakeServer) -> None:
    """One call comes back every ten seconds, so few may be added while the test runs."""
    server = make_server(WEB_CONCURRENCY="4", PAPERSITE_SESSION_CALLS="6")
    server.wait_until_up()
    began = time.monotonic()
    errors = [server.call("get_session", session_id="nobody")["error"] for _ in range(40)]
    assert 6 <= errors.count("session_not_found") <= 6 + (time.monotonic() - began) / 10
    assert errors.count("rate_limited") == 40 - errors.count("session_not_found")


def test_what_is_counted_is_there_before_workers_are_forked(server: SiteServer) -> None:
    shared = (
        "import papersite.wsgi; from papercore.processes.rate_limits import rate_limit;"
        "assert rate_limit.cache_info().currsize == 3"
    )
    done = subprocess.run(
        [sys.executable, "-c", shared],
        cwd=ROOT,
        env=environment(server.data),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
