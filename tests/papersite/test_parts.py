"""Specs and literature searches can be switched off: their tools, pages, routes and links are gone then."""

import json
from pathlib import Path

import pytest

from tests.papersite.test_settings import run

# What a visitor and an agent see. In a process of its own, because addresses and tools are set up once.
LOOK = """
import json
from django.test import Client
client = Client(HTTP_HOST="localhost")
def status(path):
    return client.get(path).status_code
def ask(path, method):
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}
    if method == "initialize":
        who = {"name": "test", "version": "1"}
        message["params"] = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who}
    return client.post(path, json.dumps(message), content_type="application/json", headers={"accept": "*/*"})
pages = {path: client.get(path).content.decode() for path in ("/", "/papers/?q=nothingtofind", "/connect/")}
print(json.dumps({
    "status": {path: status(path) for path in ("/", "/connect/", "/specs/", "/searches/", "/api/specs", "/readyz")},
    "links": [path for path in ("/specs/", "/searches/", "/mcp/spox", "/mcp/paper-search")
              if any(path in page for page in pages.values())],
    "tools": [tool["name"] for tool in ask("/mcp?tools=all", "tools/list").json()["result"]["tools"]],
    "instructions": ask("/mcp", "initialize").json()["result"]["instructions"],
    "servers": [name for name in ("spox", "paper-search") if ask(f"/mcp/{name}", "tools/list").status_code == 200],
    "sitemap": "/specs/" in client.get("/sitemap-1.txt").content.decode(),
    "routes": [path for path in client.get("/api/openapi.json").json()["paths"] if "spec" in path or "change" in path],
    "parts": list(client.get("/readyz").json()["parts"]),
}))
"""


def look(library: Path, data: Path, **variables: str) -> dict[str, object]:
    migrated = {"PAPERSITE_DATA": str(data), "PAPERSITE_SNAPSHOT": str(library), **variables}
    run("migrate", "-v0", **migrated)
    result = run("shell", "--no-imports", "-c", LOOK, **migrated)
    assert result.returncode == 0, result.stderr
    seen = json.loads(result.stdout.strip().splitlines()[-1])
    assert isinstance(seen, dict)
    return seen


@pytest.mark.parametrize(
    ("variables", "specs", "searches"),
    [
        ({}, True, True),
        ({"PAPERSITE_SPECS": "off"}, False, True),
        ({"PAPERSITE_SEARCHES": "off"}, True, False),
        ({"PAPERSITE_SPECS": "off", "PAPERSITE_SEARCHES": "off"}, False, False),
    ],
)
def test_what_is_switched_off_is_neither_served_nor_named(
    library: Path, tmp_path: Path, variables: dict[str, str], specs: bool, searches: bool
) -> None:
    seen = look(library, tmp_path, **variables)
    assert seen["status"] == {
        "/": 200,
        "/connect/": 200,
        "/readyz": 200,
        "/specs/": 200 if specs else 404,
        "/api/specs": 200 if specs else 404,
        "/searches/": 200 if searches else 404,
    }
    named = {"/specs/": specs, "/searches/": searches, "/mcp/spox": specs, "/mcp/paper-search": searches}
    assert seen["links"] == [path for path, on in named.items() if on]
    assert seen["servers"] == [name for name, on in (("spox", specs), ("paper-search", searches)) if on]
    for name, on in (("search_specs", specs), ("start_search", searches), ("export_results", searches)):
        assert (name in seen["tools"], name in str(seen["instructions"])) == (on, on)  # type: ignore[operator]  # JSON
    assert ("searches" in seen["parts"]) == searches  # type: ignore[operator]  # JSON
    assert bool(seen["routes"]) == seen["sitemap"] == ("specs" in seen["parts"]) == specs  # type: ignore[operator]  # JSON


def test_the_demo_starts_without_specs(library: Path, tmp_path: Path) -> None:
    result = run(
        "demo",
        "--no-serve",
        PAPERSITE_DATA=str(tmp_path),
        PAPERSITE_SNAPSHOT=str(library),
        PAPERSITE_SPECS="off",
    )
    assert result.returncode == 0, result.stderr
    doctor = run("doctor", PAPERSITE_DATA=str(tmp_path), PAPERSITE_SNAPSHOT=str(library), PAPERSITE_SPECS="off")
    assert "specs     off" in doctor.stdout
