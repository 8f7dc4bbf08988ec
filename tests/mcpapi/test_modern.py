"""Version 2026-07-28: every request carries its envelope, and its headers repeat it."""

import pytest
from mcp.shared.inbound import encode_header_value
from mcp.types.methods import validate_server_result

from tests.mcpapi.site import CAPABILITIES_KEY, MODERN, SERVER_INFO_KEY, VERSION_KEY, Site, request

CALL: dict[str, object] = {"name": "echo", "arguments": {"word": "hi"}}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("server/discover", {}),
        ("tools/list", {}),
        ("tools/call", CALL),
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("resources/read", {"uri": "note://1"}),
    ],
)
def test_every_result_is_complete_and_says_who_answers(sample: Site, method: str, params: dict[str, object]) -> None:
    answer = sample.modern(method, params)
    assert answer.status == 200
    validate_server_result(method, MODERN, answer.result)
    assert answer.result["resultType"] == "complete"
    assert answer.result["_meta"][SERVER_INFO_KEY]["name"] == "sample"
    cacheable = method != "tools/call"
    assert ("ttlMs" in answer.result, "cacheScope" in answer.result) == (cacheable, cacheable)


def test_discover_names_versions_capabilities_and_instructions(sample: Site) -> None:
    result = sample.modern("server/discover").result
    assert result["supportedVersions"] == [MODERN]
    assert result["capabilities"] == {"tools": {}, "resources": {}}
    assert result["instructions"] == "Say something."


def test_answers_may_be_kept_and_shared(sample: Site) -> None:
    result = sample.modern("tools/list").result
    assert (result["cacheScope"], result["ttlMs"] > 0) == ("public", True)


@pytest.mark.parametrize("missing", [VERSION_KEY, CAPABILITIES_KEY])
def test_half_an_envelope_is_invalid_params(sample: Site, missing: str) -> None:
    meta = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}}
    del meta[missing]
    answer = sample.post(
        request("tools/list", {"_meta": meta}), ("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")
    )
    assert (answer.status, answer.code) == (400, -32602)


def test_a_modern_header_without_any_envelope_is_invalid_params(sample: Site) -> None:
    answer = sample.post(request("tools/list"), ("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list"))
    assert (answer.status, answer.code) == (400, -32602)


@pytest.mark.parametrize("header", ["version", "method_header", "name_header"])
@pytest.mark.parametrize("value", [None, "other", ""])
def test_a_missing_or_different_header_is_a_mismatch(sample: Site, header: str, value: str | None) -> None:
    answer = sample.modern("tools/call", CALL, **{header: value})
    assert (answer.status, answer.code, answer.json["id"]) == (400, -32020, 1)


@pytest.mark.parametrize("version", ["2025-11-25", "2025-03-26"])
def test_an_envelope_under_a_legacy_header_is_a_mismatch(sample: Site, version: str) -> None:
    answer = sample.modern("tools/call", CALL, version=version)
    assert (answer.status, answer.code) == (400, -32020)


@pytest.mark.parametrize("name", ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"])
def test_a_repeated_header_is_a_mismatch(sample: Site, name: str) -> None:
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "echo"}
    params = {**CALL, "_meta": {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}}}
    answer = sample.post(request("tools/call", params), *headers.items(), (name, headers[name]))
    assert (answer.status, answer.code) == (400, -32020)


def test_a_name_may_come_base64_encoded(sample: Site) -> None:
    assert sample.modern("tools/call", CALL, name_header="=?base64?ZWNobw==?=").status == 200
    assert sample.modern("tools/call", CALL, name_header="=?base64?ZWNobw?=").code == -32020
    strange = {"uri": "note://é"}
    assert encode_header_value("note://é").startswith("=?base64?")
    assert sample.modern("resources/read", {**strange}).code == -32602


def test_an_unsupported_version_names_those_that_discover_lists(sample: Site) -> None:
    meta = {VERSION_KEY: "2099-01-01", CAPABILITIES_KEY: {}}
    answer = sample.post(
        request("tools/list", {"_meta": meta}),
        ("MCP-Protocol-Version", "2099-01-01"),
        ("Mcp-Method", "tools/list"),
    )
    assert (answer.status, answer.code) == (400, -32022)
    supported = sample.modern("server/discover").result["supportedVersions"]
    assert answer.json["error"]["data"] == {"supported": supported, "requested": "2099-01-01"}


@pytest.mark.parametrize(
    "method",
    ["initialize", "ping", "resources/subscribe", "logging/setLevel", "tasks/list", "prompts/list", "x"],
)
def test_what_this_version_or_server_lacks_is_404(sample: Site, method: str) -> None:
    answer = sample.modern(method)
    assert (answer.status, answer.code) == (404, -32601)


def test_unknown_tools_and_missing_resources_are_400(sample: Site) -> None:
    call = sample.modern("tools/call", {"name": "nothing"})
    read = sample.modern("resources/read", {"uri": "note://9"})
    assert (call.status, call.code) == (400, -32602)
    assert (read.status, read.code, read.json["error"]["data"]["uri"]) == (400, -32602, "note://9")
    assert read.json["error"]["data"]["error"] == "note_not_found"


def test_a_tools_objection_is_200(sample: Site) -> None:
    answer = sample.modern("tools/call", {"name": "get_note", "arguments": {"note_id": "9"}})
    assert (answer.status, answer.result["isError"]) == (200, True)
    assert answer.result["structuredContent"]["error"] == "note_not_found"


def test_notifications_are_accepted_and_posted_responses_refused(sample: Site) -> None:
    version = ("MCP-Protocol-Version", MODERN)
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert sample.post(cancelled, version).status == 202
    assert sample.post({"jsonrpc": "2.0", "id": 1, "result": {}}, version).status == 400
    assert sample.post(cancelled, ("MCP-Protocol-Version", "2099-01-01")).code == -32022
    enveloped = {**cancelled, "params": {"_meta": {VERSION_KEY: MODERN}}}
    assert sample.post(enveloped).code == -32020
