"""The page that connects an agent: configurations for its client, and one real request to try."""

import json
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from mcpapi.clients import CLIENTS
from mcpapi.management.commands.mcp_config import local_server, remote_server
from mcpapi.servers import PAPERS, SERVERS, Server

# Tools that can be tried with one word, and the argument that takes it.
_TRIED = {
    "search_papers": "query",
    "search_papers_by_keyword": "keyword",
    "search_specs": "query",
    "get_database_stats": "",
    "list_top_facets": "category",
}
_EXAMPLES = {"query": "attention", "keyword": "transformer", "category": "keyword"}


@dataclass(frozen=True)
class Setup:
    """What one client wants to be told."""

    name: str
    title: str
    place: str
    remote: str
    local: str


@dataclass(frozen=True)
class Call:
    """A request to try; `argument` takes what the reader types."""

    label: str
    argument: str
    example: str
    data: str


def connect(request: HttpRequest) -> HttpResponse:
    site = request.build_absolute_uri("/")
    context = {
        "endpoint": f"{site}mcp",
        "setups": [setup(name, site, own_machine(request)) for name in CLIENTS],
        "calls": calls(PAPERS),
        "servers": [(server, "/mcp" if server is PAPERS else f"/mcp/{server.name}") for server in SERVERS.values()],
        "token_needed": settings.MCP_AUTH == "required",
    }
    return render(request, "connect.html", context)


def own_machine(request: HttpRequest) -> bool:
    """Whether the reader sits at the machine itself: only then do its paths help, and only then are they shown.

    The Host alone proves nothing, for the reader chooses it; and what comes through a proxy comes from anywhere.
    """
    host = urlsplit(f"//{request.get_host()}").hostname
    direct = request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1") and "X-Forwarded-For" not in request.headers
    return direct and host in ("localhost", "127.0.0.1", "::1")


def setup(name: str, site: str, with_local: bool) -> Setup:
    client = CLIENTS[name]
    local = client.local(local_server(PAPERS.name)) if with_local else ""
    return Setup(name, client.title, client.place, client.remote(remote_server(PAPERS.name, site)), local)


def calls(server: Server) -> list[Call]:
    listing = Call("tools/list", "", "", _data("tools/list", {}))
    tried = [
        Call(
            name, argument, _EXAMPLES.get(argument, ""), _data("tools/call", {"name": name, "arguments": _fixed(name)})
        )
        for name, argument in _TRIED.items()
        if name in server.tool_by_name
    ]
    return [*tried, listing]


def _fixed(name: str) -> dict[str, object]:
    """Short answers are enough here."""
    return {"limit": 3} if name != "get_database_stats" else {}


def _data(method: str, params: dict[str, object]) -> str:
    return json.dumps({"request": {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}})
