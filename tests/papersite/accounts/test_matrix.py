"""Ways to be somebody, by every route and tool: nobody in where they do not belong, everybody in who does."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, get_resolver, reverse
from pytest_django import Settings

from mcpapi.listing.servers import SERVERS
from papercore.caller import SCOPES
from tests.mcpapi.site import request
from tests.papersite.accounts.ways import BORROWED, KNOWN, STRANGERS, bearer, token

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
# Who may enter, by how a route begins; the longest beginning counts. A route that begins otherwise fails these tests.
ROOMS = {
    **dict.fromkeys(("healthz", "readyz", "robots.txt", "sign-in/", "enter/", "invitation/"), "open"),
    **dict.fromkeys(("admin/login/", "admin/logout/"), "open"),
    # Its address is the secret: another one leads nowhere, whoever asks.
    "searches/waiting/": "open",
    "admin/": "staff",
    "state/": "state",
    "library/": "change",
    "password/": "account",
    "mcp": "token",
    **dict.fromkeys(("papers", "ask/", "assets/", "by/", "stats/", "basket/", "opensearch.xml", "searches/"), "read"),
    **dict.fromkeys(("specs", "metrics", "logout/", "api/", "connect/", "diagram/", "favicon.ico", "sitemap"), "read"),
    **dict.fromkeys(("suggestions/", "check/"), "read"),
}
NEEDS = {"change": "c", "staff": "s", "state": "o", "account": "a", "token": "t"}
SAMPLES = {
    **dict.fromkeys(("session_id", "key", "addition_id", "check_id"), "0" * 32),
    **dict.fromkeys(("object_id", "content_type_id", "id", "number"), "1"),
    **dict.fromkeys(("suffix", "kind"), "json"),
    **dict.fromkeys(("template", "lang", "name", "value", "project", "local_id", "uidb64", "token", "address"), "x"),
    "category": "author",
    "app_label": "auth",
    "paper_id": "123",
}
# Routes without a name.
UNNAMED = {"mcp/": "/mcp/", "admin/(?P<url>.*)$": "/admin/x", "specs/(?P<rest>.*[^/])$": "/specs/x"}


def routes(patterns: Sequence[object], before: str = "", spaces: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Every route of the site, and an address that leads there."""
    for entry in patterns:
        route = before + str(getattr(entry, "pattern", "")).removeprefix("^")
        if not isinstance(entry, URLPattern):
            space = getattr(entry, "namespace", None)
            yield from routes(entry.url_patterns, route, (*spaces, space) if space else spaces)  # type: ignore[attr-defined]
        elif entry.name:
            names = {*entry.pattern.converters, *getattr(entry.pattern.regex, "groupindex", {})}
            given = {name: SAMPLES[name] for name in names - set(entry.default_args or {})}
            try:
                yield route, reverse(":".join((*spaces, entry.name)), kwargs=given)
            except NoReverseMatch:  # an export has other endings
                yield route, reverse(":".join((*spaces, entry.name)), kwargs={**given, "suffix": "bib"})
        elif route in UNNAMED or route.endswith("/<path:object_id>/"):
            yield route, UNNAMED.get(route, "/" + route.replace("<path:object_id>", "1"))
        else:
            assert route.startswith("(?P<path>"), f"{route} has no name: give it one, or an address here"


def room_of(route: str) -> str:
    fitting = [beginning for beginning in ROOMS if route.startswith(beginning)]
    assert fitting or not route, f"{route}: who may enter? Name it in ROOMS."
    return ROOMS[max(fitting, key=len)] if fitting else "read"


ADDRESSES = [(room_of(route), address) for route, address in routes(get_resolver().url_patterns)]


@pytest.fixture(autouse=True)
def private(settings: Settings, tmp_path: Path) -> None:
    settings.ACCESS, settings.MCP_AUTH, settings.LIBRARY_CHANGES = "private", "required", "local"
    settings.DATA = tmp_path


def send(client: Client, method: str, address: str) -> HttpResponseBase:
    if address.startswith("/mcp"):
        return client.post(address, request("ping"), content_type="application/json")
    return client.generic(method, address)


def is_refused(response: HttpResponseBase) -> bool:
    to_sign_in = response.status_code == 302 and response.headers["Location"].startswith(("/sign-in/", "/admin/login/"))
    return to_sign_in or response.status_code in (400, 401, 403)


@pytest.mark.parametrize("name", STRANGERS)
def test_strangers_get_nowhere(name: str, settings: Settings) -> None:
    client = STRANGERS[name]()
    assert b"parts" not in client.get("/readyz").content
    for room, address in ADDRESSES:
        assert room == "open" or is_refused(send(client, "GET", address)), address
    settings.ACCESS = "open"
    for room, address in ADDRESSES:
        if room in NEEDS:
            for method in ("GET", "POST"):
                response = send(client, method, address)
                # Some pages take forms alone, and say so before anything else.
                assert is_refused(response) or response.status_code == 405, (method, address, response)


@pytest.mark.parametrize("name", KNOWN)
def test_everybody_gets_where_they_belong_and_no_further(name: str) -> None:
    make, rights = KNOWN[name]
    client = make()
    for room, address in ADDRESSES:
        if room == "open":
            continue
        belongs = room == "read" or NEEDS[room] in rights
        if not belongs:
            for method in ("GET", "POST"):
                response = send(client, method, address)
                assert is_refused(response) or response.status_code == 405, (method, address, response)
        else:
            response = send(client, "GET", address)
            assert not is_refused(response) or is_of_the_page_itself(address, response), (address, response)
            assert response.status_code < 500, (address, response)
    assert b"parts" in client.get("/readyz").content


def is_of_the_page_itself(address: str, response: HttpResponseBase) -> bool:
    """A page may refuse what is asked for; and what the admin shows of a snapshot, nobody adds to or deletes."""
    words = ("/add/", "/delete/", "/change/", "/history/", "/password/", "/autocomplete/")
    return response.status_code == 400 or (address.startswith("/admin/") and address.endswith(words))


@pytest.mark.parametrize("name", BORROWED)
def test_a_page_of_others_changes_nothing_with_a_readers_cookies(name: str) -> None:
    client = BORROWED[name]()
    for room, address in ADDRESSES:
        if room in ("change", "staff", "state", "account", "token"):
            response = send(client, "POST", address)
            assert is_refused(response) or response.status_code in (404, 405), (address, response)


def call(client: Client, server: str, tool: str) -> tuple[int, str]:
    """The status, and the error that a call without arguments ends with."""
    body = request("tools/call", {"name": tool, "arguments": {}})
    response = client.post(f"/mcp/{server}", body, content_type="application/json")
    found = json.loads(response.content) if response.status_code == 200 else {}
    return response.status_code, str(found.get("result", {}).get("structuredContent", {}).get("error", ""))


@pytest.mark.parametrize("name", [*STRANGERS, *(name for name, (_, rights) in KNOWN.items() if "t" not in rights)])
def test_no_tool_is_called_without_a_token(name: str) -> None:
    client = (STRANGERS.get(name) or KNOWN[name][0])()
    for server_name, server in SERVERS.items():
        for tool in server.tools:
            assert call(client, server_name, tool.name)[0] in (400, 401, 403), tool.name


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_calls_what_its_scope_says(scope: str) -> None:
    client = bearer(token(scope))
    scopes = SCOPES[: SCOPES.index(scope) + 1]
    for server_name, server in SERVERS.items():
        for tool in server.tools:
            status, error = call(client, server_name, tool.name)
            assert status == 200, tool.name
            assert (error == "out_of_scope") is (tool.scope not in scopes), (tool.name, error)


def test_every_way_is_tried_at_every_route() -> None:
    assert len(STRANGERS) + len(KNOWN) + len(BORROWED) >= 60
    assert len(ADDRESSES) > 150
    assert {room for room, _ in ADDRESSES} == {"open", "read", *NEEDS}
