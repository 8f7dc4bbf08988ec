"""Tools that ask the client, over our dispatch: by plain requests, and by the protocol's own conformance suite."""

import os
import subprocess
from collections.abc import Iterator
from typing import Any  # JSON as it comes: the tests look into it freely

import pytest

from mcpapi.listing.servers import SERVERS
from tests.mcpapi.conformance import CONFORMANCE
from tests.mcpapi.site import CAPABILITIES_KEY, MODERN, VERSION_KEY, Answer, Site, request

# The suite's dist/index.js, and Node.js 22 or later: `npm install @modelcontextprotocol/conformance@0.2.0-alpha.12`.
SUITE, NODE = os.environ.get("MCP_CONFORMANCE_SUITE", ""), os.environ.get("MCP_CONFORMANCE_NODE", "node")
# All but the one about prompts, of which this server has none.
SCENARIOS = (
    "basic-elicitation",
    "basic-sampling",
    "basic-list-roots",
    "request-state",
    "multiple-input-requests",
    "multi-round",
    "missing-input-response",
    "result-type",
    "unsupported-methods",
    "tampered-state",
    "capability-check",
    "ignore-extra-params",
    "validate-input",
)


@pytest.fixture
def conformance(site: Site) -> Iterator[Site]:
    SERVERS[CONFORMANCE.name] = CONFORMANCE
    yield site.at("/mcp/conformance")
    del SERVERS[CONFORMANCE.name]


def call(site: Site, tool: str, capabilities: Any, **params: object) -> Answer:
    name = f"test_input_required_result_{tool}"
    meta = {VERSION_KEY: MODERN, CAPABILITIES_KEY: capabilities}
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": name}
    return site.post(request("tools/call", {"name": name, "arguments": {}, "_meta": meta, **params}), *headers.items())


@pytest.mark.parametrize(
    ("capabilities", "asked"),
    [
        ({"elicitation": {}, "sampling": {}}, {"user_name", "greeting"}),
        ({"elicitation": {"form": {}}}, {"user_name"}),
        ({"elicitation": {"url": {}}, "sampling": {}}, {"greeting"}),
        ({"sampling": {}, "elicitation": None}, {"greeting"}),
    ],
)
def test_only_what_the_client_declares_is_asked_for(conformance: Site, capabilities: Any, asked: set[str]) -> None:
    answer = call(conformance, "capabilities", capabilities).result
    assert answer["resultType"] == "input_required"
    assert set(answer["inputRequests"]) == asked


def test_rounds_follow_each_other_without_anything_kept_on_the_server(conformance: Site) -> None:
    can: Any = {"elicitation": {}}
    accepted = {"action": "accept", "content": {"name": "Ada", "color": "blue"}}
    first = call(conformance, "multi_round", can).result
    second = call(
        conformance, "multi_round", can, inputResponses={"step1": accepted}, requestState=first["requestState"]
    ).result
    assert list(second["inputRequests"]) == ["step2"]
    last = call(
        conformance, "multi_round", can, inputResponses={"step2": accepted}, requestState=second["requestState"]
    ).result
    assert (last["resultType"], last["structuredContent"]) == ("complete", {"text": "done"})


@pytest.mark.parametrize("state", ["", "x", "a:b:c", "." * 100_000])
def test_a_state_that_was_not_signed_here_is_refused(conformance: Site, state: str) -> None:
    assert call(conformance, "multi_round", {"elicitation": {}}, requestState=state).code == -32602


def test_a_state_of_one_tool_is_refused_by_another(conformance: Site) -> None:
    state = call(conformance, "multi_round", {"elicitation": {}}).result["requestState"]
    assert call(conformance, "tampered_state", {"elicitation": {}}, requestState=state).code == -32602


@pytest.mark.skipif(not SUITE, reason="needs MCP_CONFORMANCE_SUITE, the suite's dist/index.js, and Node.js 22")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_conformance_suite_finds_nothing(conformance: Site, scenario: str) -> None:
    command = [NODE, SUITE, "server", "--url", conformance.url, "--spec-version", MODERN]
    command += ["--scenario", f"input-required-result-{scenario}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "0 failed, 0 warnings" in done.stdout, done.stdout
