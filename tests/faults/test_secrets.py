"""Nothing that leaves the product names a local path, an internal address, a secret or a line of code."""

import re
import sys
from pathlib import Path

import httpx
import pytest

from tests.server import KEY, ROOT, SiteServer

PAGES = 60
ODD = [
    "/nothing",
    "/papers/nobody/",
    "/papers/123/summary/nothing/",
    "/papers/..%2f..%2fetc%2fpasswd/",
    "/assets/images/..%2f..%2fsecret",
    "/papers.json?offset=x",
    "/papers/?q=%00&year_from=abc",
    "/api/papers/nobody",
    "/api/papers?limit=x",
    "/specs/nobody/",
    "/searches/0123456789abcdef/",
    "/admin/login/",
    "/static/nothing.css",
    "/mcp",
    "/readyz",
    "/metrics",
    "/healthz",
]
CALLS = [
    ("get_paper_source", {"paper_id": "../../etc/passwd"}),
    ("get_paper_summary", {"paper_id": "123", "template": "../x"}),
    ("search_papers", {"query": '"', "limit": "x"}),
    ("search_papers", {"query": "NEAR(" * 50}),
    ("get_session", {"session_id": "nobody"}),
    ("get_scenario", {"spec_id": "../x", "requirement": "x"}),
    ("no_such_tool", {}),
]


def secrets_of(server: SiteServer) -> list[str]:
    places = [str(server.data), str(ROOT), sys.prefix, str(Path.home()) + "/", "/usr/lib", "/tmp/"]
    return [*places, KEY, "Traceback", 'File "', "site-packages", ".py:", "sqlite3.", "OperationalError"]


def crawl(server: SiteServer) -> dict[str, str]:
    """Pages that links lead to, and odd addresses, by address: as seen from elsewhere, through a proxy."""
    texts: dict[str, str] = {}
    waiting = ["/", *ODD]
    outside = {"X-Forwarded-For": "192.0.2.1"}
    with httpx.Client(base_url=server.address, headers=outside, trust_env=False, timeout=30) as client:
        while waiting and len(texts) < PAGES + len(ODD):
            path = waiting.pop()
            answer = client.get(path)
            texts[path] = f"{answer.text}\n{answer.headers}"
            links = re.findall(r'(?:href|src)="(/[^"#]*)"', answer.text)
            waiting[:0] = [link for link in dict.fromkeys(links) if link not in texts and link not in waiting]
        for tool, arguments in CALLS:
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
            answer = client.post("/mcp", json=message | {"params": {"name": tool, "arguments": arguments}})
            assert answer.status_code < 500, (tool, answer.status_code)
            texts[f"{tool} {arguments}"] = answer.text
    return texts


def leaks(server: SiteServer, texts: dict[str, str]) -> list[tuple[str, str]]:
    # Where a scenario's test is, a spec's page says on purpose.
    said = {where: re.sub(r"\btest_\w+\.py:\d+", "", text) for where, text in texts.items()}
    return [(where, secret) for where, text in said.items() for secret in secrets_of(server) if secret in text]


def assert_nothing_leaks(server: SiteServer) -> None:
    assert leaks(server, crawl(server)) == []
    assert leaks(server, {"the log": server.log()}) == []


def test_a_well_library_gives_nothing_away(single: SiteServer) -> None:
    assert_nothing_leaks(single)


@pytest.mark.parametrize("broken", ["paper_snapshot.db", "static/summary/123/deep_read.json", "static"])
def test_a_broken_library_gives_nothing_away(broken: str, single: SiteServer) -> None:
    path = single.data / "demo" / broken
    kept = path.rename(path.with_name("kept"))
    try:
        if path.suffix:
            path.write_bytes(b"junk")
        single.replace_worker()
        assert_nothing_leaks(single)
    finally:
        path.unlink(missing_ok=True)
        kept.rename(path)
