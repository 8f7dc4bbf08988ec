"""Bodies made to be expensive: each is refused early, and no answer is much longer than what it answers."""

import json

import pytest

from mcpapi.listing.servers import PAPERS
from mcpapi.transport import http
from tests.mcpapi.site import initialize, request

MEGABYTE = 1_000_000
# An umlaut as BibTeX has it.
QUOTED = r"\"{u}"


def call(arguments: object) -> bytes:
    return json.dumps(request("tools/call", {"name": "search_papers", "arguments": arguments})).encode()


def message(method: str, params: object) -> bytes:
    return json.dumps(request(method, params)).encode()


def initialization(capabilities: dict[str, object]) -> bytes:
    body = json.loads(json.dumps(initialize()))
    body["params"]["capabilities"] = capabilities
    return json.dumps(body).encode()


INVALID = {
    "nested lists": b"[" * MEGABYTE,
    "nested and closed": b"[" * (MEGABYTE // 2) + b"]" * (MEGABYTE // 2),
    "many empty objects": b"[" + b"{}," * 300_000 + b"{}]",
    "many small objects": b'{"a":[' + b'{"b":{}},' * 100_000 + b"1]}",
    "a long number": b"1" * MEGABYTE,
    "nearly long numbers": b"[" + b"1" * 20 + (b"," + b"1" * 20) * 40_000 + b"]",
    "long fractions": b"[0." + b"1" * 20 + (b",0." + b"1" * 20) * 40_000 + b"]",
    "a text without an end": b'["' + b"{" * 30_000 + b'\\"' * 400_000,
    "parts between texts": b"[" + b'"\\"{",[],' * 60_000 + b"1]",
}
ANSWERED = {
    "many arguments": call({f"k{number}": 1 for number in range(60_000)}),
    "a long argument's name": call({"x" * 900_000: 1}),
    "a long query": call({"query": "x" * 900_000}),
    "a list for a query": call({"query": [1] * 200_000}),
    "a long limit": call({"query": "x", "limit": "9" * 900_000}),
    "one word, repeated": call({"query": "a " * 250}),
    "many capabilities": initialization({"experimental": {f"k{number}": 1 for number in range(50_000)}}),
    "a list for a cursor": message("tools/list", {"cursor": [1] * 200_000}),
    "a long cursor": message("resources/list", {"cursor": "YWZ0" * 200_000}),
    "a long address": message("resources/read", {"uri": f"paper://{'a' * 900_000}/metadata"}),
    "an address of slashes": message("resources/read", {"uri": "paper://" + "/" * 900_000}),
    "repeated keys": b'{"jsonrpc":"2.0","id":1,' + b'"method":"ping",' * 40_000 + b'"a":1}',
}


def assert_short_answer(body: bytes, status: int) -> None:
    reply = http.answer(PAPERS, body, {})
    assert reply.status == status
    assert json.loads(reply.body)["jsonrpc"] == "2.0"
    assert len(reply.body) < len(body) + 5_000


@pytest.mark.parametrize("name", INVALID)
def test_an_expensive_body_that_is_no_message_is_refused(name: str) -> None:
    assert_short_answer(INVALID[name], 400)


@pytest.mark.parametrize("name", ANSWERED)
def test_an_expensive_message_gets_a_short_answer(name: str) -> None:
    assert_short_answer(ANSWERED[name], 200)


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({"jsonrpc": "2.0", "id": "x" * 900_000, "method": "ping"}).encode(),
        message("resources/read", {"uri": f"paper://{'a' * 900_000}/metadata"}),
        message("x" * 900_000, {}),
        message("tools/call", {"name": "x" * 900_000, "arguments": {}}),
        message("tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": "x" * 900_000}}),
    ],
    ids=["id", "uri", "method", "tool", "version"],
)
def test_what_was_sent_is_not_sent_back_by_the_megabyte(body: bytes) -> None:
    reply = http.answer(PAPERS, body, {})
    assert len(reply.body) < 10_000
    assert "error" in json.loads(reply.body)


def test_braces_in_a_text_are_no_parts_of_the_message() -> None:
    bibtex = "".join(
        f"@misc{{k{n}, title = {{{{T}}}}, author = {{{{A}}}}, note = {{{QUOTED}}}}}\n" for n in range(5_000)
    )
    reply = http.answer(PAPERS, message("tools/call", {"name": "search_papers", "arguments": {"query": bibtex}}), {})
    assert reply.status == 200
    assert "characters" in json.loads(reply.body)["result"]["content"][0]["text"]
