"""The page that connects an agent: the configuration for each client, and real requests to try."""

import json

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from msgspec import Struct

from mcpapi.clients import CLIENTS, local_server, path_of, remote_server
from mcpapi.listing.servers import CONNECTOR, PAPERS, SERVERS, Server
from papersite.accounts.owner import is_owner

# Tools that can be tried with one argument, its name and an example, and what else is sent: a few results are enough.
_TRIED_TOOLS: tuple[tuple[str, str, str, dict[str, object]], ...] = (
    ("search_papers", "query", "attention", {"limit": 3}),
    ("search_papers_by_keyword", "keyword", "transformer", {"limit": 3}),
    ("search_specs", "query", "attention", {"limit": 3}),
    ("get_database_stats", "", "", {}),
    ("list_top_facets", "category", "keyword", {"limit": 3}),
)


class ClientSetup(Struct, frozen=True):
    """What to paste or run for one client; `local` is empty where it would not help the reader."""

    name: str
    title: str
    place: str
    remote: str
    local: str


class TrialCall(Struct, frozen=True):
    """A request to try; `argument` takes what the reader types."""

    label: str
    argument: str
    example: str
    data: str


def connect(request: HttpRequest) -> HttpResponse:
    site = request.build_absolute_uri("/")
    # Only to the person who started the site are the paths of this machine useful, and only then are they shown.
    for_owner = is_owner(request)
    context = {
        "setups": [client_setup(name, site, for_owner) for name in CLIENTS],
        "calls": trial_calls(PAPERS),
        "terminal_call": terminal_call(request.build_absolute_uri(path_of(PAPERS))),
        "servers": [(server, path_of(server)) for server in SERVERS.values()],
        "connector": remote_server(CONNECTOR, site).url,
        "for_operator": for_owner or request.user.is_staff,
        "token_needed": settings.MCP_AUTH == "required",
    }
    return render(request, "connect.html", context)


def client_setup(name: str, site: str, with_local: bool) -> ClientSetup:
    client = CLIENTS[name]
    local = client.local(local_server(PAPERS)) if with_local else ""
    return ClientSetup(name, client.title, client.place, client.remote(remote_server(PAPERS, site)), local)


def trial_calls(server: Server) -> list[TrialCall]:
    calls = [
        TrialCall(name, argument, example, _request("tools/call", {"name": name, "arguments": fixed}))
        for name, argument, example, fixed in _TRIED_TOOLS
        if name in server.tool_by_name
    ]
    return [*calls, TrialCall("tools/list", "", "", _request("tools/list", {}))]


def terminal_call(url: str) -> str:
    """What a reader without JavaScript runs instead of trying it on the page."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    headers = "-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'"
    return f"curl {headers} -d '{body}' {url}"


def _request(method: str, params: dict[str, object]) -> str:
    return json.dumps({"request": {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}})
