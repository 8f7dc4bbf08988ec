"""Calls on search sessions are limited per client."""

import json
from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django import Settings

from mcpapi.models import create_token
from papercore.processes.rate_limits import rate_limit

# Any request may look at the default database, if only to close an old connection.
pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


@pytest.fixture
def three_calls(settings: Settings) -> Iterator[None]:
    settings.SESSION_CALLS = 3
    rate_limit.cache_clear()
    yield
    rate_limit.cache_clear()


def call(client: Client, address: str, token: str = "") -> dict[str, object]:
    params = {"name": "get_session", "arguments": {"session_id": "nobody"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    headers = {"authorization": f"Bearer {token}"} if token else {}
    answer = client.post("/mcp", body, content_type="application/json", REMOTE_ADDR=address, headers=headers)
    content: dict[str, object] = answer.json()["result"]["structuredContent"]
    return content


def test_calls_on_sessions_are_limited_per_client(client: Client, three_calls: None) -> None:
    assert [call(client, "192.0.2.1")["error"] for _ in range(3)] == ["session_not_found"] * 3
    refused = call(client, "192.0.2.1")
    assert (refused["error"], refused["retry_after_seconds"]) == ("rate_limited", 20)
    assert call(client, "192.0.2.2")["error"] == "session_not_found"


def test_a_token_is_a_client_of_its_own(client: Client, three_calls: None) -> None:
    errors = [call(client, "192.0.2.1")["error"] for _ in range(4)]
    assert errors == ["session_not_found"] * 3 + ["rate_limited"]
    valid = create_token("mine")
    assert call(client, "192.0.2.1", valid)["error"] == "session_not_found"
