"""Who gets in: host, origin, method, size and types, over raw HTTP."""

import socket

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from mcpapi.models import ValidToken
from mcpapi.transport import gate
from mcpapi.transport.gate import is_allowed
from papercore import limits
from tests.mcpapi.site import Answer, Site, request

PING = request("ping")


def assert_refused(answer: Answer, status: int) -> None:
    assert answer.status == status
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json["id"] is None
    assert answer.code == -32600


def test_a_plain_request_passes(site: Site) -> None:
    answer = site.post(PING)
    assert (answer.status, answer.json) == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})
    assert answer.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp/papers"])
def test_the_papers_server_has_its_place_and_its_name(site: Site, path: str) -> None:
    assert site.at(path).post(PING).status == 200


def test_an_unknown_server_is_named_as_such(site: Site) -> None:
    assert_refused(site.at("/mcp/nothing").post(PING), 404)


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "a b", "", "127.0.0.1@evil.example"])
def test_a_foreign_host_is_400(site: Site, host: str) -> None:
    assert_refused(site.post(PING, ("Host", host)), 400)


@pytest.mark.scenario("paper-mcp / Transport security validation / Reject disallowed origin")
@pytest.mark.parametrize("verb", ["POST", "GET"])
@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "",
        "http://localhost",
        "http://localhost:3000@evil.example",
        "http://127.0.0.1.evil.example",
        "file://",
        "http://127.0.0.1:*",
        "http://localhost:99999",
        "http://localhost:0",
    ],
)
def test_a_foreign_origin_is_403_whatever_the_method(site: Site, verb: str, origin: str) -> None:
    assert_refused(site.send(verb, b"", [("Origin", origin)]), 403)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_pages_of_the_server_itself_may_call_on_this_machine(site: Site, name: str) -> None:
    assert site.post(PING, ("Origin", f"http://{name}:{site.port}")).status == 200
    assert site.post(PING, ("Origin", f"http://{name}:{site.port + 1}")).status == 403


def test_a_listed_origin_may_call_and_a_second_origin_header_may_not(site: Site, settings: Settings) -> None:
    settings.ALLOWED_ORIGINS = ["https://app.example"]
    good = ("Origin", "https://app.example")
    assert site.post(PING, good).status == 200
    assert_refused(site.post(PING, good, good), 403)


@pytest.mark.parametrize(
    ("origin", "entry", "allowed"),
    [
        ("http://localhost:3000", "http://localhost:*", True),
        ("http://localhost", "http://localhost:*", True),
        ("http://LOCALHOST:3000", "http://localhost:*", True),
        ("https://localhost:3000", "http://localhost:*", False),
        ("http://localhost:80.evil.example", "http://localhost:*", False),
        ("http://localhost:3000@evil.example", "http://localhost:*", False),
        ("http://localhost.evil.example:3000", "http://localhost:*", False),
        ("http://localhost:*", "http://localhost:*", False),
        ("http://localhost:", "http://localhost:*", False),
        ("http://localhost:3000/", "http://localhost:*", False),
        ("http://localhost:3000,http://localhost:3000", "http://localhost:*", False),
        ("https://app.example:443", "https://app.example", True),
        ("https://app.example", "https://app.example:443", True),
        ("https://app.example:8443", "https://app.example", False),
        ("https://app.example\n", "https://app.example", False),
        ("https://ａpp.example", "https://app.example", False),
        ("http://[::1]:9", "http://[::1]:*", True),
        ("null", "null", True),
        ("null", "https://app.example", False),
    ],
)
def test_origins_are_compared_whole(origin: str, entry: str, allowed: bool) -> None:
    assert is_allowed(origin, [entry], "papers.example") is allowed


def test_a_loopback_page_may_not_call_a_public_name() -> None:
    assert is_allowed("http://localhost:8000", [], "127.0.0.1:8000")
    assert not is_allowed("http://localhost:8000", [], "papers.example:8000")


@pytest.mark.scenario("paper-mcp / Streamable HTTP MCP endpoint / GET not supported")
@pytest.mark.parametrize("verb", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_everything_but_post_is_405(site: Site, verb: str) -> None:
    answer = site.send(verb, headers=[("Accept", "text/event-stream")])
    assert_refused(answer, 405)
    assert answer.headers["Allow"] == "POST"


def test_a_large_body_is_413_before_it_is_read(site: Site) -> None:
    length = ("Content-Length", str(limits.BODY_BYTES + 1))
    assert_refused(site.send("POST", b"", [("Content-Type", "application/json"), length]), 413)


def test_a_body_of_just_the_limit_is_read(site: Site) -> None:
    assert site.post(b" " * limits.BODY_BYTES).code == -32700


@pytest.mark.parametrize("length", ["x", "-1", "1_0", "٣"])
def test_a_length_that_is_no_number_is_400(site: Site, length: str) -> None:
    sent = length.encode().decode("latin-1")
    answer = site.send("POST", b"", [("Content-Type", "application/json"), ("Content-Length", sent)])
    assert answer.status == 400


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "", "application/json; x*=bad'en'v"],
)
def test_another_content_type_is_415(site: Site, kind: str) -> None:
    assert_refused(site.send("POST", b"{}", [("Content-Type", kind)]), 415)


@pytest.mark.parametrize("kind", ["Application/JSON", "application/json; charset=utf-8", "application/json;x"])
def test_the_content_type_may_have_any_case_and_parameters(site: Site, kind: str) -> None:
    assert site.send("POST", b'{"jsonrpc":"2.0","id":1,"method":"ping"}', [("Content-Type", kind)]).status == 200


@pytest.mark.parametrize("accept", ["text/html", "text/event-stream", "application/json;q=0", "image/*, a/b"])
def test_an_accept_header_without_json_is_406(site: Site, accept: str) -> None:
    assert_refused(site.post(PING, ("Accept", accept)), 406)


@pytest.mark.parametrize(
    "accept",
    ["*/*", "application/*", "text/html, APPLICATION/JSON;q=0.1", "application/json, text/event-stream", ""],
)
def test_an_accept_header_with_json_passes(site: Site, accept: str) -> None:
    assert site.post(PING, ("Accept", accept)).status == 200


def test_sessions_are_neither_given_nor_asked_for(site: Site) -> None:
    answer = site.post(PING, ("Mcp-Session-Id", "made-up"), ("Last-Event-ID", "7"))
    assert answer.status == 200
    assert "Mcp-Session-Id" not in answer.headers


def test_no_page_middleware_runs(site: Site) -> None:
    headers = {name.lower() for name in site.post(PING).headers}
    assert headers <= {"date", "server", "content-type", "content-length", "connection", "x-request-id"}


PREFLIGHT = [("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "content-type")]


def test_a_page_of_an_allowed_origin_may_post_and_read(site: Site, settings: Settings) -> None:
    settings.ALLOWED_ORIGINS = ["https://app.example"]
    origin = ("Origin", "https://app.example")
    asked = site.send("OPTIONS", headers=[origin, *PREFLIGHT])
    assert (asked.status, asked.body) == (204, b"")
    assert asked.headers["Access-Control-Allow-Methods"] == "POST"
    assert "Mcp-Method" in asked.headers["Access-Control-Allow-Headers"]
    for answer in (asked, site.post(PING, origin), site.post(b"", origin), site.send("GET", headers=[origin])):
        assert answer.headers["Access-Control-Allow-Origin"] == "https://app.example"
        assert answer.headers["Vary"] == "Origin"
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_preflight_opens_nothing_to_others(site: Site) -> None:
    refused = site.send("OPTIONS", headers=[("Origin", "https://evil.example"), *PREFLIGHT])
    assert_refused(refused, 403)
    assert "Access-Control-Allow-Origin" not in refused.headers
    assert_refused(site.send("OPTIONS", headers=PREFLIGHT), 405)


def test_an_agent_is_known_by_its_token_or_else_by_its_address() -> None:
    request = RequestFactory().get("/", secure=True, REMOTE_ADDR="192.0.2.1")
    with_token = gate.agent(request, ValidToken("token:mine", "read"))
    assert (with_token.kind, with_token.site, with_token.client) == ("agent", "https://testserver", "token:mine")
    assert with_token.scopes == {"read"}
    assert gate.agent(request, None).client == "192.0.2.1"


def test_a_client_has_hung_up_once_it_has_closed_its_end_and_not_while_it_is_silent() -> None:
    here, there = socket.socketpair()
    request = RequestFactory().get("/")
    request.META["gunicorn.socket"] = here
    here.settimeout(0.01)  # the worker's sockets have a time limit, too
    with here, there:
        has_hung_up = gate.agent(request, None).has_hung_up
        assert not has_hung_up()
        there.sendall(b"GET / HTTP/1.1\r\n")
        assert not has_hung_up(), "the next request has arrived"
        assert here.recv(100) == b"GET / HTTP/1.1\r\n", "and is still there"
        there.close()
        assert has_hung_up()
        here.close()
        assert has_hung_up()
