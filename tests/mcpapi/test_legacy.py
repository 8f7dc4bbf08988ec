"""Versions 2024-11-05 to 2025-11-25: every JSON-RPC reply is HTTP 200, unless the body was no request."""

import json
import logging

import pytest
from mcp.types.methods import validate_server_result
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS

from papercore import limits
from papercore.version import VERSION
from tests.mcpapi.site import Site, initialize, request

NO_REQUESTS = [
    b"",
    b"\xff\xfe",
    b"{",
    b'{"a":NaN}',
    b'"\\ud800"',
    b"\xef\xbb\xbf{}",
    b"[" * 65 + b"]" * 65,
    b'{"a":' * 65 + b"1" + b"}" * 65,
    b'{"id":' + b"1" * 21 + b"}",
    b'{"id":-' + b"1" * 21 + b"}",
]
NO_MESSAGES = [
    1,
    "ping",
    None,
    {},
    {"id": 1, "method": "ping"},
    {"jsonrpc": "1.0", "id": 1, "method": "ping"},
    {"jsonrpc": "2.0", "id": None, "method": "ping"},
    {"jsonrpc": "2.0", "id": True, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1.0, "method": "ping"},
    {"jsonrpc": "2.0", "id": [], "method": "ping"},
    {"jsonrpc": "2.0", "id": 1},
    {"jsonrpc": "2.0", "id": 1, "method": 7},
    {"jsonrpc": "2.0", "id": 1, "method": ""},
    {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]},
]


@pytest.mark.parametrize("body", NO_REQUESTS)
def test_what_is_not_strict_bounded_json_is_a_parse_error(sample: Site, body: bytes) -> None:
    answer = sample.post(body)
    assert (answer.status, answer.code, answer.json["id"]) == (400, -32700, None)


def test_long_digits_in_text_and_fractions_are_no_long_integers(sample: Site) -> None:
    assert sample.post(b'{"jsonrpc":"2.0","id":"%b","method":"ping"}' % (b"1" * 30)).status == 200
    assert sample.post(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":0.%b}}' % (b"1" * 30)).status == 200


def test_nesting_up_to_the_limit_is_read(sample: Site) -> None:
    nested = b'{"a":' * (limits.JSON_DEPTH - 2) + b"1" + b"}" * (limits.JSON_DEPTH - 2)
    assert sample.post(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":%b}}' % nested).status == 200


@pytest.mark.parametrize("value", NO_MESSAGES)
def test_json_that_is_no_message_is_an_invalid_request(sample: Site, value: object) -> None:
    answer = sample.post(value)
    assert (answer.status, answer.code) == (400, -32600)


def test_a_faulty_message_is_answered_by_its_id_where_it_has_one(sample: Site) -> None:
    assert sample.post({"jsonrpc": "2.0", "id": "mine"}).json["id"] == "mine"


@pytest.mark.scenario("paper-mcp / Streamable HTTP MCP endpoint / Initialize MCP capabilities")
@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_initialize_agrees_to_every_handshake_version(sample: Site, version: str) -> None:
    answer = sample.post(initialize(version))
    validate_server_result("initialize", version, answer.result)
    assert answer.result["protocolVersion"] == version
    assert answer.result["capabilities"] == {"tools": {}, "resources": {}}
    assert answer.result["serverInfo"] == {"name": "sample", "title": "A sample", "version": VERSION}
    assert answer.result["instructions"] == "Say something."


@pytest.mark.parametrize("asked", ["2026-07-28", "1999-01-01", "latest"])
def test_initialize_offers_the_latest_handshake_version_for_any_other(sample: Site, asked: str) -> None:
    assert sample.post(initialize(asked)).result["protocolVersion"] == "2025-11-25"


def test_a_server_without_resources_does_not_promise_them(site: Site) -> None:
    bare = site.at("/mcp/tools-only")
    assert bare.post(initialize()).result["capabilities"] == {"tools": {}}
    assert bare.legacy("resources/list").code == -32601


@pytest.mark.scenario("paper-mcp / Streamable HTTP MCP endpoint / Invalid protocol version")
@pytest.mark.parametrize("version", ["1999-01-01", "", "2025-11-25,2025-11-25", "x" * 500])
def test_an_unsupported_version_header_is_400(sample: Site, version: str) -> None:
    answer = sample.legacy("ping", version=version)
    assert (answer.status, answer.code, answer.json["id"]) == (400, -32022, 1)
    assert answer.json["error"]["data"] == {"supported": ["2026-07-28"], "requested": version}


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_each_handshake_version_is_served(sample: Site, version: str) -> None:
    for method, params in {
        "ping": {},
        "tools/list": {},
        "tools/call": {"name": "echo", "arguments": {"word": "hi"}},
        "resources/list": {},
        "resources/templates/list": {},
        "resources/read": {"uri": "note://1"},
    }.items():
        answer = sample.legacy(method, params, version)
        assert answer.status == 200
        validate_server_result(method, version, answer.result)


def test_notifications_and_posted_responses_are_taken_in_silence(sample: Site) -> None:
    for message in (
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of", "params": {"a": 1}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}},
    ):
        answer = sample.post(message)
        assert (answer.status, answer.body) == (202, b"")


@pytest.mark.parametrize("method", ["prompts/list", "logging/setLevel", "completion/complete", "server/discover", "x"])
def test_what_is_not_served_is_method_not_found(sample: Site, method: str) -> None:
    answer = sample.legacy(method)
    assert (answer.status, answer.code) == (200, -32601)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("initialize", {"protocolVersion": 5}),
        ("tools/call", {}),
        ("tools/call", {"name": 1}),
        ("tools/call", {"name": "echo", "arguments": [1]}),
        ("tools/call", {"name": "nothing"}),
        ("tools/list", {"cursor": "x"}),
        ("resources/templates/list", {"cursor": "x"}),
        ("resources/list", {"cursor": "x"}),
        ("resources/list", {"cursor": 2}),
        ("resources/read", {}),
    ],
)
def test_bad_params_unknown_tools_and_cursors_are_invalid_params(sample: Site, method: str, params: object) -> None:
    answer = sample.legacy(method, params)
    assert (answer.status, answer.code) == (200, -32602)


def test_a_missing_resource_names_its_uri_and_the_tools_own_code(sample: Site) -> None:
    answer = sample.legacy("resources/read", {"uri": "note://9"})
    assert (answer.status, answer.code) == (200, -32002)
    assert answer.json["error"]["data"] == {
        "uri": "note://9",
        "error": "note_not_found",
        "message": "There is no such note.",
        "note_id": "9",
    }


def test_a_resource_that_is_away_is_an_internal_error_with_its_code(sample: Site) -> None:
    answer = sample.legacy("resources/read", {"uri": "note://away"})
    assert (answer.code, answer.json["error"]["data"]["error"]) == (-32603, "unavailable")


def test_resources_come_in_pages(sample: Site) -> None:
    first = sample.legacy("resources/list").result
    second = sample.legacy("resources/list", {"cursor": first["nextCursor"]}).result
    assert [page["resources"][0]["uri"] for page in (first, second)] == ["note://1", "note://2"]
    assert "nextCursor" not in second


def test_a_tool_answers_with_structure_and_the_same_as_text(sample: Site) -> None:
    result = sample.legacy("tools/call", {"name": "echo", "arguments": {"word": "hé", "times": "2"}}).result
    assert result["structuredContent"] == {"word": "héhé", "title": None}
    assert [part["type"] for part in result["content"]] == ["text"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert result["isError"] is False


@pytest.mark.parametrize(
    "arguments",
    [None, {}, {"word": "toolong"}, {"word": "a", "times": 4}, {"word": "a", "more": 1}, {"self": 1}],
)
def test_bad_arguments_are_a_result_the_agent_can_read(sample: Site, arguments: object) -> None:
    answer = sample.legacy("tools/call", {"name": "echo", "arguments": arguments} if arguments else {"name": "echo"})
    assert (answer.status, answer.result["isError"]) == (200, True)
    assert answer.result["structuredContent"]["error"] == "invalid_input"


def test_a_tools_objection_carries_code_message_and_details(sample: Site) -> None:
    result = sample.legacy("tools/call", {"name": "get_note", "arguments": {"note_id": "9"}}).result
    assert result["isError"] is True
    assert result["structuredContent"] == {
        "error": "note_not_found",
        "message": "There is no note 9.",
        "note_id": "9",
        "notes": ["1", "2"],
    }
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_an_unforeseen_fault_is_logged_and_told_without_its_text(
    sample: Site, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "mcpapi"):
        call = sample.legacy("tools/call", {"name": "crash"})
        read = sample.legacy("resources/read", {"uri": "note://crash"})
    assert call.result["structuredContent"] == {"error": "internal_error", "message": "Internal error."}
    assert (read.status, read.code) == (200, -32603)
    assert b"secret" not in call.body + read.body
    assert caplog.text.count("RuntimeError: the secret reason") == 2


def test_a_batch_is_answered_in_one_list(sample: Site) -> None:
    batch = [
        request("ping", id_="a"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("x", id_="b"),
        7,
        initialize(),
    ]
    for headers in ([], [("MCP-Protocol-Version", "2025-03-26")]):
        answer = sample.post(batch, *headers)
        assert answer.status == 200
        assert [reply["id"] for reply in answer.json] == ["a", "b", None, 1]
        assert [reply.get("error", {}).get("code") for reply in answer.json] == [None, -32601, -32600, -32600]


def test_a_batch_of_notifications_is_taken_in_silence(sample: Site) -> None:
    assert sample.post([{"jsonrpc": "2.0", "method": "notifications/initialized"}] * 2).status == 202


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28", "x"])
def test_no_other_version_has_batches(sample: Site, version: str) -> None:
    answer = sample.post([request("ping")], ("MCP-Protocol-Version", version))
    assert (answer.status, answer.code) == (400, -32600)


@pytest.mark.parametrize("length", [0, limits.BATCH_MESSAGES + 1])
def test_an_empty_or_endless_batch_is_an_invalid_request(sample: Site, length: int) -> None:
    answer = sample.post([request("ping")] * length)
    assert (answer.status, answer.code) == (400, -32600)
