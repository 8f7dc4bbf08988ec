"""The owner's link works once and becomes a cookie; being at this machine is no identity."""

import stat
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.core.signing import TimestampSigner
from django.test import Client
from pytest_django import Settings

from papersite.accounts import owner
from papersite.command.browser import first_page
from papersite.command.commands import call_command
from papersite.data import served_site

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


@pytest.fixture(autouse=True)
def own_data(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA, settings.LIBRARY_CHANGES = tmp_path, "local"
    return tmp_path


def test_the_link_works_once_and_lets_its_reader_change_the_library(client: Client, own_data: Path) -> None:
    key = owner.new_key(own_data)
    assert client.get("/library/add/").status_code == 302
    assert client.get("/enter/", {"key": key}).headers["Location"] == "/"
    assert client.get("/library/add/").status_code == 200
    assert "Add papers" in client.get("/").content.decode()
    stranger = Client()
    assert stranger.get("/enter/", {"key": key}).status_code == 403
    assert stranger.get("/library/add/").status_code == 302
    assert "Add papers" not in stranger.get("/").content.decode()


def test_of_many_who_open_it_at_once_one_gets_in(own_data: Path) -> None:
    key = owner.new_key(own_data)
    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(lambda _: owner.use_key(own_data, key), range(8))) == 1


@pytest.mark.parametrize("key", ["", "x", "é", "x" * 5000])
def test_a_wrong_key_opens_nothing_and_uses_nothing_up(client: Client, own_data: Path, key: str) -> None:
    assert client.get("/enter/", {"key": key}).status_code == 403
    right = owner.new_key(own_data)
    assert client.get("/enter/", {"key": key}).status_code == 403
    assert client.get("/enter/", {"key": right}).status_code == 302


def test_a_new_link_makes_the_one_before_void(client: Client, own_data: Path) -> None:
    first = owner.new_key(own_data)
    out = StringIO()
    call_command("link", "--site", "http://localhost:9/", stdout=out)
    assert client.get("/enter/", {"key": first}).status_code == 403
    link = out.getvalue().strip()
    assert link.startswith("http://localhost:9/enter/?key=")
    assert client.get(link.removeprefix("http://localhost:9")).status_code == 302


def test_a_link_leads_to_the_site_that_was_started_if_it_has_an_owner(own_data: Path, settings: Settings) -> None:
    served_site.note("http://0.0.0.0:9000")
    out = StringIO()
    call_command("link", stdout=out, stderr=StringIO())
    assert out.getvalue().startswith("http://127.0.0.1:9000/enter/")
    settings.LIBRARY_CHANGES = "staff"
    served_site.note("http://127.0.0.1:9001")
    with pytest.raises(CommandError, match="without an owner"):
        call_command("link", stdout=out)
    (own_data / served_site.NOTE).write_text("{")
    assert served_site.site_address(None) == served_site.DEFAULT_SITE


def test_the_key_is_for_its_owner_alone_and_no_argument_of_the_browser(own_data: Path) -> None:
    key = owner.new_key(own_data)
    page = first_page("http://127.0.0.1:8000", own_data)
    assert key not in page
    assert key in (own_data / owner.PAGE_FILE).read_text()
    for name in (owner.KEY_FILE, owner.PAGE_FILE):
        assert stat.S_IMODE((own_data / name).stat().st_mode) == 0o600
    assert owner.use_key(own_data, key)
    assert list(own_data.iterdir()) == []
    assert first_page("http://127.0.0.1:8000", own_data) == "http://127.0.0.1:8000/"


def test_the_cookie_of_another_site_or_setting_is_nobody(client: Client, settings: Settings) -> None:
    name = owner.cookie_name()
    for value in ("owner", TimestampSigner(key="another site's").sign("owner"), TimestampSigner().sign("owner")):
        client.cookies[name] = value
        assert client.get("/library/add/").status_code == 302
    client.cookies[name] = owner.cookie_value()
    assert client.get("/library/add/").status_code == 200
    settings.LIBRARY_CHANGES = "staff"
    assert client.get("/library/add/").status_code == 302


def test_signing_out_forgets_the_owner(client: Client) -> None:
    client.cookies[owner.cookie_name()] = owner.cookie_value()
    assert "Log out" in client.get("/").content.decode()
    client.post("/logout/")
    assert client.get("/library/add/").status_code == 302
