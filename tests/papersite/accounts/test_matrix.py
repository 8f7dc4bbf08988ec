"""Ways to be somebody, by what they ask for: nobody in where they do not belong, everybody in who does."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.signing import TimestampSigner
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from mcpapi.models import McpToken, create_token
from papersite.accounts import owner
from papersite.accounts.roles import EDITORS
from tests.mcpapi.site import request

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
LOCAL = {"host": "127.0.0.1:8000"}
FORWARDING = {
    "x-forwarded-for": "127.0.0.1",
    "forwarded": "for=127.0.0.1",
    "x-real-ip": "127.0.0.1",
    "via": "1.1 proxy",
    "x-forwarded-host": "localhost",
    "x-forwarded-user": "root",
    "remote-user": "root",
}


def person(name: str, *, is_staff: bool = False, is_editor: bool = False, is_active: bool = True) -> Client:
    user = User.objects.create_user(name, is_staff=is_staff)
    if is_editor:
        user.groups.create(name=EDITORS)
    client = Client(headers=LOCAL)
    client.force_login(user)
    User.objects.filter(pk=user.pk).update(is_active=is_active)
    return client


def cookie(name: str, value: str) -> Client:
    client = Client(headers=LOCAL)
    client.cookies[name] = value
    return client


def bearer(token: str) -> Client:
    return Client(headers={**LOCAL, "authorization": f"Bearer {token}"})


def revoked() -> Client:
    token = create_token("revoked", "write")
    McpToken.objects.update(revoked_at=timezone.now())
    return bearer(token)


Make = Callable[[], Client]
STRANGERS: dict[str, Make] = {
    "direct": lambda: Client(headers=LOCAL),
    "elsewhere": lambda: Client(headers=LOCAL, REMOTE_ADDR="203.0.113.7"),
    "ipv6": lambda: Client(headers={"host": "[::1]:8000"}, REMOTE_ADDR="::1"),
    "tunnel": lambda: Client(headers={"host": "localhost:9000"}),
    "foreign page": lambda: Client(headers={**LOCAL, "origin": "https://evil.example"}),
    "rebinding": lambda: Client(headers={**LOCAL, "origin": "http://evil.example:8000"}),
    "invented cookie": lambda: cookie(owner.cookie_name(), "owner"),
    "another site's cookie": lambda: cookie(owner.cookie_name(), TimestampSigner(key="other").sign("owner")),
    "a cookie for something else": lambda: cookie(owner.cookie_name(), TimestampSigner().sign("owner")),
    "invented session": lambda: cookie("sessionid", "x" * 32),
    "closed account": lambda: person("closed", is_staff=True, is_active=False),
    "invented token": lambda: bearer("papersite_invented"),
    "expired token": lambda: bearer(create_token("old", "write", timezone.now() - timedelta(days=1))),
    "revoked token": revoked,
    **{name: partial(Client, headers={**LOCAL, name: value}) for name, value in FORWARDING.items()},
}
KNOWN: dict[str, tuple[Make, bool]] = {
    "owner": (lambda: cookie(owner.cookie_name(), owner.cookie_value()), True),
    "reader": (lambda: person("reader"), False),
    "editor": (lambda: person("editor", is_editor=True), True),
    "staff": (lambda: person("staff", is_staff=True), True),
    "token to read": (lambda: bearer(create_token("r", "read")), False),
    "token to decide": (lambda: bearer(create_token("d", "decide")), False),
    "token to write": (lambda: bearer(create_token("w", "write")), False),
}


@pytest.fixture(autouse=True)
def private(settings: Settings, tmp_path: Path) -> None:
    settings.ACCESS, settings.MCP_AUTH, settings.LIBRARY_CHANGES = "private", "required", "local"
    settings.DATA = tmp_path


def ping(client: Client) -> int:
    return client.post("/mcp", request("ping"), content_type="application/json").status_code


@pytest.mark.parametrize("name", STRANGERS)
def test_strangers_get_nowhere(name: str, settings: Settings) -> None:
    client = STRANGERS[name]()
    for path in ("/", "/papers/123/", "/api/papers/123", "/papers.atom", "/searches/", "/library/add/", "/metrics"):
        assert client.get(path).status_code in (302, 401, 403), path
    assert ping(client) in (401, 403)
    assert "parts" not in client.get("/readyz").json()
    settings.ACCESS = "open"
    for path in ("/library/add/", "/admin/"):
        assert client.get(path).status_code == 302, path
    assert client.post("/library/undo/", {"build": "x"}).status_code == 302


@pytest.mark.parametrize("name", KNOWN)
def test_everybody_gets_where_they_belong(name: str) -> None:
    make, may_change = KNOWN[name]
    client = make()
    for path in ("/papers/123/", "/api/papers/123", "/papers.atom"):
        assert client.get(path).status_code == 200, path
    assert (client.get("/library/add/").status_code == 200) is may_change
    assert ping(client) == (200 if name.startswith("token") else 401)
    assert (client.get("/admin/").status_code == 200) is (name == "staff")


def test_every_way_is_tried() -> None:
    assert len(STRANGERS) + len(KNOWN) >= 28
