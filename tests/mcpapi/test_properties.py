"""Whatever is posted, with whatever headers: a legal status, a JSON-RPC answer, and never a 5xx."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcpapi.transport import http
from tests.mcpapi.sample import SAMPLE
from tests.mcpapi.site import CAPABILITIES_KEY, MODERN, VERSION_KEY, Site

LEGAL = {200, 202, 400, 403, 404, 405, 406, 413, 415}
METHODS = ["ping", "initialize", "tools/list", "tools/call", "resources/read", "resources/list", "server/discover", "x"]
VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN, "2099-01-01", ""]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
metas = st.fixed_dictionaries(
    {}, optional={VERSION_KEY: st.sampled_from(VERSIONS) | json_values, CAPABILITIES_KEY: json_values}
)
params = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["echo", "crash", "get_note"]) | json_values,
        "arguments": st.fixed_dictionaries({}, optional={"word": json_values, "times": json_values}) | json_values,
        "uri": st.sampled_from(["note://1", "note://crash"]) | json_values,
        "cursor": json_values,
        "protocolVersion": st.sampled_from(VERSIONS) | json_values,
        "_meta": metas | json_values,
    },
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "2.0", "2.0", "1.0"]),
        "id": st.integers(0, 9) | st.text(max_size=3) | json_values,
        "method": st.sampled_from(METHODS) | json_values,
        "params": params | json_values,
        "result": json_values,
    },
)
bodies = st.binary(max_size=200) | (json_values | messages | st.lists(messages, max_size=3)).map(
    lambda value: json.dumps(value).encode()
)
headers = st.fixed_dictionaries(
    {},
    optional={
        "mcp-protocol-version": st.sampled_from(VERSIONS) | st.text(max_size=20),
        "mcp-method": st.sampled_from(METHODS) | st.text(max_size=20),
        "mcp-name": st.sampled_from(["echo", "note://1", "=?base64?!?="]) | st.text(max_size=20),
    },
)


def assert_json_rpc(status: int, body: bytes) -> None:
    assert status in LEGAL
    if status == 202:
        assert body == b""
        return
    answer = json.loads(body)
    for reply in answer if isinstance(answer, list) else [answer]:
        assert reply["jsonrpc"] == "2.0"
        assert "id" in reply
        assert ("result" in reply) != ("error" in reply)
    assert b"secret" not in body


@settings(max_examples=200, deadline=None)
@given(body=bodies, named=headers)
def test_any_body_gets_a_json_rpc_answer(body: bytes, named: dict[str, str]) -> None:
    reply = http.answer(SAMPLE, body, named)
    assert_json_rpc(reply.status, reply.body)


header_text = st.text(st.characters(codec="latin-1", exclude_characters="\0\r\n"), max_size=60)
raw_headers = st.lists(
    st.tuples(
        st.sampled_from(
            ["Origin", "Accept", "Content-Type", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Authorization"]
        ),
        header_text | st.sampled_from(["application/json", "application/json; x*=bad'en'v", "null", "*/*;q=x"]),
    ),
    max_size=6,
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(verb=st.sampled_from(["POST", "POST", "GET", "DELETE"]), body=bodies, sent=raw_headers)
def test_any_request_gets_a_legal_status(sample: Site, verb: str, body: bytes, sent: list[tuple[str, str]]) -> None:
    answer = sample.send(verb, body, sent)
    assert_json_rpc(answer.status, answer.body)
