"""Bearer tokens: off unless asked for, stored hashed, shown once, revoked in the admin."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.utils import timezone
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
    assert status("Basic eDp5") == 200
    assert status("Bearer ") == 200


def test_a_token_that_is_not_valid_is_refused_where_none_is_required() -> None:
    token, old = create_token("agent"), create_token("old", expires_at=timezone.now() - timedelta(seconds=1))
    assert status(f"Bearer {token}") == 200
    McpToken.objects.filter(name="agent").update(revoked_at=timezone.now())
    for sent in (token, old, "papersite_invented", "nonsense"):
        client = Client(SERVER_NAME="localhost", headers={"Authorization": f"Bearer {sent}"})
        answer = client.post("/mcp", request("ping"), content_type="application/json")
        assert (answer.status_code, "invalid_token" in answer.headers["WWW-Authenticate"]) == (401, True)
        assert "revoked, has expired" in answer.json()["error"]["message"]
        assert "papersite create-token NAME; or send none" in answer.json()["error"]["message"]


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


def call(token: str, tool: str, **arguments: object) -> dict[str, object]:
    """With a token, or without one where it is empty."""
    params = {"name": tool, "arguments": arguments}
    answer = Client(SERVER_NAME="localhost").post(
        "/mcp",
        request("tools/call", params),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"} if token else {},
    )
    found: dict[str, object] = answer.json()["result"]["structuredContent"]
    return found


def test_a_token_calls_what_its_scope_allows() -> None:
    reading, deciding = create_token("reading", "read"), create_token("deciding", "decide")
    for token in (reading, deciding):
        assert call(token, "get_paper_metadata", paper_id="123")["paper_id"] == "123"
    assert call(reading, "start_search", query="attention")["error"] == "out_of_scope"
    assert call(reading, "decide", session_id="0" * 32, action="approve")["error"] == "out_of_scope"
    assert call(deciding, "decide", session_id="0" * 32, action="approve")["error"] != "out_of_scope"
    assert call(deciding, "propose_papers", text="10.5555/cats")["error"] == "out_of_scope"
    assert call(create_token("writing", "write"), "propose_papers")["error"] == "invalid_input"


@pytest.mark.parametrize("token", ["", "reading"])
def test_who_may_not_call_a_tool_is_told_how_to_get_a_token_that_may(token: str) -> None:
    said = call(create_token(token, "read") if token else "", "propose_papers", text="10.5555/cats")
    assert said["error"] == "out_of_scope"
    beginning = "The token that was sent may not" if token else "Without a token nobody may"
    assert str(said["message"]).startswith(f"{beginning} call propose_papers")
    assert "papersite create-token NAME --scope write" in str(said["message"])


@pytest.mark.parametrize(
    "wrong", [[""], [" "], ["a\nb"], ["x" * 101], ["a", "--days", "-1"], ["a", "--days", "0"], ["a", "--days", "9" * 9]]
)
def test_a_token_has_a_name_and_a_time_to_come(wrong: list[str]) -> None:
    with pytest.raises(CommandError, match="1 to"):
        call_command("create_token", *wrong, stdout=StringIO())
    assert not McpToken.objects.exists()


@pytest.mark.usefixtures("required")
def test_a_token_ends_when_it_expires_and_with_its_owners_account() -> None:
    now = timezone.now()
    User.objects.create_user("ada")
    expired = create_token("expired", expires_at=now - timedelta(seconds=1))
    lasting = create_token("lasting", expires_at=now + timedelta(days=1), owner_name="ada")
    assert (status(f"Bearer {expired}"), status(f"Bearer {lasting}")) == (401, 200)
    User.objects.update(is_active=False)
    assert status(f"Bearer {lasting}") == 401


@pytest.mark.usefixtures("required")
def test_the_last_use_is_noted() -> None:
    token = create_token("agent")
    assert McpToken.objects.get().last_used_at is None
    status(f"Bearer {token}")
    assert McpToken.objects.get().last_used_at is not None


@pytest.mark.usefixtures("required")
def test_a_token_is_made_in_the_admin_and_shown_once(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root"))
    form = {"name": "agent", "scope": "read", "owner": "", "expires_at_0": "", "expires_at_1": ""}
    page = client.post("/admin/mcpapi/mcptoken/add/", form, follow=True).content.decode()
    (token,) = re.findall(r"papersite_[\w-]{40,}", page)
    assert status(f"Bearer {token}") == 200
    assert token not in client.get("/admin/mcpapi/mcptoken/").content.decode()


@pytest.mark.usefixtures("required")
def test_commands_make_list_and_revoke_tokens() -> None:
    User.objects.create_user("ada")
    out, err = StringIO(), StringIO()
    call_command("create_token", "agent", "--scope", "read", "--days", "3", "--owner", "ada", stdout=out, stderr=err)
    token = out.getvalue().strip()
    listed = StringIO()
    call_command("revoke_token", stdout=listed)
    assert listed.getvalue().startswith("agent: read, of ada, expires 2")
    assert status(f"Bearer {token}") == 200
    call_command("revoke_token", "agent", stdout=StringIO())
    assert status(f"Bearer {token}") == 401
    with pytest.raises(CommandError, match="No valid token"):
        call_command("revoke_token", "agent", stdout=StringIO())
    with pytest.raises(CommandError, match="no account"):
        call_command("create_token", "other", "--owner", "nobody", stdout=StringIO(), stderr=StringIO())
