"""The page that connects an agent shows real lines, and requests that the server really answers."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from mcpapi.clients import CLIENTS
from papersite.accounts import owner
from papersite.command.commands import call_command


def test_every_client_has_its_lines_with_this_site_in_them(client: Client) -> None:
    page = unescape(client.get("/connect/").content.decode())
    assert "claude mcp add --transport http papers http://testserver/mcp" in page
    assert [entry.title for entry in CLIENTS.values() if entry.title not in page] == []


@pytest.mark.django_db(databases=["default", "snapshot"])
def test_paths_of_the_machine_are_shown_to_its_owner_only(client: Client, settings: Settings) -> None:
    settings.LIBRARY_CHANGES = "local"
    assert "mcp_stdio" not in client.get("/connect/", headers={"host": "localhost"}).content.decode()
    client.cookies[owner.cookie_name()] = owner.cookie_value()
    assert "mcp_stdio" in client.get("/connect/").content.decode()


@pytest.mark.django_db(databases=["default", "snapshot"])
def test_commands_are_shown_to_operators_only(client: Client) -> None:
    reader = client.get("/connect/").content.decode()
    assert [word for word in ("papersite connect", "PAPERSITE_") if word in reader] == []
    client.force_login(User.objects.create_user("operator", is_staff=True))
    assert "papersite connect" in client.get("/connect/").content.decode()


def test_what_can_be_tried_is_answered_by_the_server(client: Client, tmp_path: Path, settings: Settings) -> None:
    settings.DATA = tmp_path
    call_command("build_spec_index", verbosity=0)
    page = client.get("/connect/").content.decode()
    calls = re.findall(r'data-call="([^"]+)" data-argument="([^"]*)" data-example="([^"]*)"', page)
    assert len(calls) > 3
    for data, argument, example in calls:
        request = json.loads(unescape(data))["request"]
        if argument:
            request["params"]["arguments"][argument] = example
        answer = client.post("/mcp", request, "application/json", headers={"accept": "application/json"})
        assert answer.status_code == 200
        result = answer.json()["result"]
        assert not result.get("isError"), request
