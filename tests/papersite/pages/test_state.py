"""The state page: for staff alone, with parts, tokens and errors."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from mcpapi.models import create_token
from papersite.pages import state
from tests.mcpapi.site import request

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


def test_strangers_are_sent_to_the_login_and_readers_refused(client: Client) -> None:
    assert client.get("/state/")["Location"] == "/sign-in/?next=/state/"
    client.force_login(User.objects.create_user("reader"))
    assert client.get("/state/").status_code == 403


def test_staff_see_parts_tokens_and_errors_by_code(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "ERRORS_SHOWN", 1_000)  # those of the tests before are counted, too
    token = create_token("agent", "read")
    call = request("tools/call", {"name": "get_paper_metadata", "arguments": {"paper_id": "none"}})
    client.post("/mcp", call, content_type="application/json", headers={"host": "localhost"})
    client.force_login(User.objects.create_user("operator", is_staff=True))
    page = client.get("/state/").content.decode()
    for word in ("snapshot", "database", "agent", "get_paper_metadata", "paper_not_found", "GB free"):
        assert word in page, word
    assert token not in page
