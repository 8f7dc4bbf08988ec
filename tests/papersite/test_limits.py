"""Limits per client: calls on search sessions, failed logins; and who the client is."""

import json
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from pytest_django import Settings

from papercore import limits
from papercore.rate_limit import RateLimit
from papersite import logins
from papersite.middleware import client_address
from searches import session_tool

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
LOGIN = "/admin/login/"


@pytest.fixture
def fresh_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logins, "failures", RateLimit(limits.LOGIN_FAILURES))


@pytest.fixture
def three_calls(settings: Settings) -> Iterator[None]:
    settings.SESSION_CALLS = 3
    session_tool._rate_limit.cache_clear()
    yield
    session_tool._rate_limit.cache_clear()


def call(client: Client, address: str) -> dict[str, object]:
    params = {"name": "get_session", "arguments": {"session_id": "nobody"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    answer = client.post("/mcp", body, content_type="application/json", REMOTE_ADDR=address)
    content: dict[str, object] = answer.json()["result"]["structuredContent"]
    return content


def test_calls_on_sessions_are_limited_per_client(client: Client, three_calls: None) -> None:
    assert [call(client, "192.0.2.1")["error"] for _ in range(3)] == ["session_not_found"] * 3
    refused = call(client, "192.0.2.1")
    assert (refused["error"], refused["retry_after_seconds"]) == ("rate_limited", 20)
    assert call(client, "192.0.2.2")["error"] == "session_not_found"


def test_guessing_passwords_is_slowed_down_and_then_refused_to_that_address(
    client: Client, fresh_failures: None
) -> None:
    User.objects.create_superuser("op", password="right")
    wrong = {"username": "op", "password": "wrong"}
    answers = [client.post(LOGIN, wrong, REMOTE_ADDR="192.0.2.1") for _ in range(11)]
    assert [answer.status_code for answer in answers] == [200] * 10 + [503]
    right = {"username": "op", "password": "right"}
    refused = client.post(LOGIN, right, REMOTE_ADDR="192.0.2.1")
    assert refused.status_code == 503
    assert "Too many failed logins" in refused.content.decode()
    assert client.post(LOGIN, right, REMOTE_ADDR="192.0.2.2").status_code == 302


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "203.0.113.5", "192.0.2.1"),
        (1, "203.0.113.5", "203.0.113.5"),
        (1, "198.51.100.9, 203.0.113.5", "203.0.113.5"),
        (2, "198.51.100.9, 203.0.113.5, 192.0.2.7", "203.0.113.5"),
        (2, "203.0.113.5", "192.0.2.1"),
        (1, "", "192.0.2.1"),
    ],
)
def test_the_client_is_whom_our_outermost_proxy_saw(
    proxies: int, forwarded: str, address: str, settings: Settings
) -> None:
    settings.PROXIES = proxies
    request = RequestFactory().get("/", headers={"X-Forwarded-For": forwarded}, REMOTE_ADDR="192.0.2.1")
    assert client_address(request) == address
