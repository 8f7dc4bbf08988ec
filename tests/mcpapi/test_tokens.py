"""Bearer tokens: off unless asked for, stored hashed, shown once, revoked in the admin."""

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.db import connection
from django.test import Client
from pytest_django import Settings

from mcpapi.models import McpToken, create_token
from papersite.command.commands import call_command
from tests.mcpapi.site import CAPABILITIES_KEY, MODERN, VERSION_KEY, request

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


@pytest.fixture
def required(settings: Settings) -> None:
    settings.MCP_AUTH = "required"


def status(authorization: str | None = None, method: str = "ping") -> int:
    return ask(authorization, method)[0]


def ask(authorization: str | None = None, method: str = "ping") -> tuple[int, dict[str, str]]:
    headers = {} if authorization is None else {"Authorization": authorization}
    client = Client(SERVER_NAME="localhost")
    answer = client.post("/mcp", request(method), content_type="application/json", headers=headers)
    return answer.status_code, dict(answer.headers)


def test_without_the_setting_nobody_is_asked_for_a_token() -> None:
    assert status() == 200
    assert status("Bearer nonsense") == 200


@pytest.mark.usefixtures("required")
def test_a_missing_or_wrong_token_is_401_with_a_challenge() -> None:
    assert ask()[0] == 401
    assert ask()[1]["WWW-Authenticate"] == 'Bearer realm="papersite"'
    for wrong in ("Bearer nonsense", "Basic eDp5", "Bearer", "Bearer ", "é", "Bearer \x80"):
        code, headers = ask(wrong)
        assert code == 401
        assert "invalid_token" in headers["WWW-Authenticate"]


@pytest.mark.usefixtures("required")
def test_a_valid_token_passes_whatever_the_case_of_its_scheme() -> None:
    token = create_token("agent")
    assert status(f"Bearer {token}") == 200
    assert status(f"bearer  {token}") == 200
    assert status(f"Bearer {token}x") == 401


@pytest.mark.usefixtures("required")
def test_every_server_asks_but_the_gate_comes_first() -> None:
    client = Client(SERVER_NAME="localhost")
    assert client.post("/mcp/papers", request("ping"), content_type="application/json").status_code == 401
    assert client.get("/mcp").status_code == 405


def test_the_command_shows_the_token_once_and_the_database_never() -> None:
    out, err = StringIO(), StringIO()
    call_command("create_token", "agent", stdout=out, stderr=err)
    token = out.getvalue().strip()
    assert token.startswith("papersite_")
    assert "cannot be shown again" in err.getvalue()
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM mcpapi_mcptoken")
        assert token not in str(cursor.fetchall())


def test_a_name_is_given_once() -> None:
    create_token("agent")
    with pytest.raises(CommandError, match="already"):
        call_command("create_token", "agent", stdout=StringIO())


@pytest.mark.usefixtures("required")
def test_a_token_is_revoked_in_the_admin_and_then_refused(settings: Settings) -> None:
    token, other = create_token("agent"), create_token("other")
    User.objects.create_superuser("root", password="x")
    browser = Client(SERVER_NAME="localhost")
    browser.login(username="root", password="x")
    chosen = McpToken.objects.get(name="agent").pk
    answer = browser.post("/admin/mcpapi/mcptoken/", {"action": "revoke", "_selected_action": chosen}, follow=True)
    assert b"Revoked 1 of 1." in answer.content
    assert (status(f"Bearer {token}"), status(f"Bearer {other}")) == (401, 200)
    assert browser.get("/admin/mcpapi/mcptoken/add/").status_code == 403
    assert b"digest" not in browser.get(f"/admin/mcpapi/mcptoken/{chosen}/change/").content


@pytest.mark.usefixtures("required")
def test_what_is_answered_to_a_token_is_not_for_sharing() -> None:
    token = create_token("agent")
    params = {"_meta": {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}}}
    headers = {
        "Authorization": f"Bearer {token}",
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/list",
    }
    answer = Client(SERVER_NAME="localhost").post(
        "/mcp", request("tools/list", params), content_type="application/json", headers=headers
    )
    assert answer.json()["result"]["cacheScope"] == "private"


@pytest.mark.usefixtures("required")
def test_a_database_that_cannot_be_asked_lets_nobody_in() -> None:
    token = create_token("agent")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE mcpapi_mcptoken RENAME TO gone")
    assert status(f"Bearer {token}") == 503


def test_over_tls_a_plain_request_is_refused_before_its_token_is_looked_at(settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert status() == 403
    client = Client(SERVER_NAME="localhost")
    assert client.post("/mcp", request("ping"), content_type="application/json", secure=True).status_code == 200
