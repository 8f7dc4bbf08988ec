"""Adding papers in the browser: who may, what is shown before it is applied, and undo."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from pytest_django import Settings

from ingest import build_snapshot
from papercore import limits
from papers.library import additions
from papers.snapshot import served
from papersite.accounts import owner
from papersite.accounts.roles import EDITORS
from papersite.server.body_limits import PERMIT, body_limit
from tests.ingest.library import LSTM, write_lines

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
NEW = b"@article{cats, title={On the weight of cats}, author={Ames, Ada}, year={1999}, doi={10.5555/cats}}\n"

CHANGED = (
    b"@article{lstm, title={Long Short-Term Memory}, author={Hochreiter, Sepp}, year={1997},"
    b" doi={10.1162/neco.1997.9.8.1735}, keywords={gates}}\n"
)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Settings, library: Path) -> Iterator[Path]:
    build_snapshot([write_lines(tmp_path / "papers.jsonl", LSTM)], tmp_path / "library")
    settings.SNAPSHOT = tmp_path / "library" / "paper_snapshot.db"
    settings.ASSETS, settings.DATA = str(tmp_path / "library" / "static"), tmp_path / "data"
    settings.LIBRARY_CHANGES = "local"
    served.renew()
    yield tmp_path / "library"
    served.renew()


@pytest.fixture
def local() -> Client:
    client = Client(headers={"host": "127.0.0.1:8000"})
    client.cookies[owner.cookie_name()] = owner.cookie_value()
    return client


def wait_for(client: Client, url: str, words: str) -> str:
    """The page once it says so."""
    for _ in range(300):
        page = client.get(url).content.decode()
        if words in page:
            return page
        time.sleep(0.05)
    raise AssertionError(page)


def send(client: Client, *files: tuple[str, bytes], text: str = "") -> HttpResponseBase:
    uploads = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post("/library/add/", {"files": uploads, "text": text})


def dois(own_folder: Path) -> set[object]:
    """As the file has them now: a test's own connection stays with the file that it began with."""
    with closing(sqlite3.connect(own_folder / "paper_snapshot.db")) as database:
        return {row[0] for row in database.execute("SELECT doi FROM paper")}


def test_what_is_brought_is_shown_applied_and_undone(local: Client, own_folder: Path) -> None:
    sent = send(local, ("a.bib", NEW), ("b.bib", CHANGED))
    assert sent.status_code == 302
    page = wait_for(local, sent["Location"], "2 entries read")
    assert "1 new, 1 that changes a paper you have" in page
    assert "On the weight of cats" in page
    assert dois(own_folder) == {"10.1162/neco.1997.9.8.1735"}
    local.post(f"{sent['Location']}apply/")
    wait_for(local, sent["Location"], "up to date")
    assert dois(own_folder) == {"10.1162/neco.1997.9.8.1735", "10.5555/cats"}
    assert local.post(f"{sent['Location']}apply/").status_code == 409
    history = local.get("/library/add/").content.decode()
    build = history.partition('name="build" value="')[2].partition('"')[0]
    assert local.post("/library/undo/", {"build": "another", "operation": "1"}).status_code == 409
    assert local.post("/library/undo/", {"build": build, "operation": "1"}).status_code == 302
    assert dois(own_folder) == {"10.1162/neco.1997.9.8.1735"}
    page = local.get("/library/add/").content.decode()
    build = page.partition('name="build" value="')[2].partition('"')[0]
    assert local.post("/library/undo/", {"build": build, "operation": "1", "again": "1"}).status_code == 302
    assert dois(own_folder) == {"10.1162/neco.1997.9.8.1735", "10.5555/cats"}


def test_identifiers_without_a_network_become_stubs(local: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CROSSREF", "OPENALEX"):
        monkeypatch.setenv(f"PAPER_SEARCH_{name}_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PAPER_SEARCH_SOURCES", "crossref,openalex")
    sent = send(local, text="10.1000/abc rubbish")
    page = wait_for(local, sent["Location"], "1 entry read")
    assert "kept as a stub, look it up later" in page
    assert "rubbish is neither" in page


def test_what_cannot_be_read_is_said_without_paths(local: Client, own_folder: Path) -> None:
    sent = send(local, ("evil<b>.html", b"<html><script>alert(1)</script>"))
    page = wait_for(local, sent["Location"], "Nothing was added")
    assert "not a kind of file that is read" in page
    assert "<b>" not in page
    sent = send(local, ("empty.bib", b"@comment{nothing}"))
    page = wait_for(local, sent["Location"], "Nothing was added")
    assert "empty.bib" in page
    assert str(own_folder.parent) not in page


def test_nothing_at_all_is_refused(local: Client) -> None:
    assert send(local).status_code == 400


def test_an_addition_can_be_discarded_and_unknown_ones_are_not_found(local: Client) -> None:
    sent = send(local, ("a.bib", NEW))
    wait_for(local, sent["Location"], "1 entry read")
    assert local.post(f"{sent['Location']}discard/").status_code == 302
    assert local.get(sent["Location"]).status_code == 404
    assert local.get("/library/add/nonsense/").status_code == 404


def test_files_are_never_served_back(local: Client) -> None:
    sent = send(local, ("a.bib", NEW))
    wait_for(local, sent["Location"], "1 entry read")
    for path in ("files/000/a.bib", "state.json", "files/"):
        assert local.get(f"{sent['Location']}{path}").status_code == 404


class TestWhoMay:
    @pytest.mark.parametrize("method", ["get", "post"])
    def test_strangers_are_sent_to_the_login(self, method: str, settings: Settings) -> None:
        settings.LIBRARY_CHANGES = "staff"
        client = Client(headers={"host": "127.0.0.1:8000"})
        response = getattr(client, method)("/library/add/")
        assert (response.status_code, response["Location"].partition("?")[0]) == (302, "/sign-in/")

    def test_staff_and_editors_may_and_readers_may_not(self, settings: Settings) -> None:
        settings.LIBRARY_CHANGES = "staff"
        users = get_user_model().objects
        for name, is_staff, status in (("ada", True, 200), ("bo", False, 403), ("cy", False, 200)):
            client = Client()
            user = users.create_user(name, is_staff=is_staff)
            if name == "cy":
                user.groups.create(name=EDITORS)
            client.force_login(user)
            assert client.get("/library/add/").status_code == status

    @pytest.mark.parametrize(
        "client",
        [
            Client(headers={"host": "127.0.0.1:8000"}),
            Client(headers={"host": "127.0.0.1:8000"}, REMOTE_ADDR="10.0.0.7"),
            Client(headers={"host": "127.0.0.1:8000", "x-forwarded-for": "10.0.0.7"}),
            Client(headers={"host": "testserver"}),
        ],
    )
    def test_where_a_request_comes_from_is_no_identity(self, client: Client) -> None:
        assert client.get("/library/add/").status_code == 302

    def test_off_means_not_found(self, local: Client, settings: Settings) -> None:
        settings.LIBRARY_CHANGES = "off"
        assert local.get("/library/add/").status_code == 404

    def test_a_form_of_another_site_is_refused(self) -> None:
        client = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1:8000"})
        client.cookies[owner.cookie_name()] = owner.cookie_value()
        assert send(client, ("a.bib", NEW)).status_code == 403
        assert client.post("/library/undo/", {"build": "x"}).status_code == 403


def test_more_additions_at_once_than_allowed_are_refused(local: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    held = [additions._free.acquire(blocking=False) for _ in range(limits.ADDITIONS_AT_ONCE)]
    try:
        response = send(local, ("a.bib", NEW))
        assert response.status_code == 409
        assert b"Try again in a minute" in b"".join(response)
    finally:
        for _ in filter(None, held):
            additions._free.release()


def test_reading_that_takes_long_can_be_cancelled(local: Client, own_folder: Path) -> None:
    sent = send(local, ("a.bib", NEW * 100_000))
    assert ">Cancel</button>" in local.get(sent["Location"]).content.decode()
    assert local.post(f"{sent['Location']}discard/")["Location"] == sent["Location"]
    wait_for(local, sent["Location"], "It was cancelled. The library is as it was.")
    wait_for_permits()
    assert dois(own_folder) == {"10.1162/neco.1997.9.8.1735"}


def test_reading_ends_when_its_time_is_over(local: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(additions, "READING_SECONDS", 0.1)
    monkeypatch.setattr(additions, "READING_SECONDS_PER_FILE", 0)
    sent = send(local, ("a.bib", NEW * 100_000))
    wait_for(local, sent["Location"], "these files take too long to read")
    wait_for_permits()


def wait_for_permits() -> None:
    taken = [additions._free.acquire(timeout=30) for _ in range(limits.ADDITIONS_AT_ONCE)]
    for _ in taken:
        additions._free.release()
    assert all(taken)


def test_a_state_that_cannot_be_kept_takes_no_permit(local: Client) -> None:
    sent = send(local, ("a.bib", NEW))
    wait_for(local, sent["Location"], "1 entry read")
    wait_for_permits()
    addition = additions.find_addition(sent["Location"].split("/")[-2])
    state = addition.load()
    (addition.folder / "state.json").unlink()
    (addition.folder / "state.json" / "in the way").mkdir(parents=True)
    for _ in range(limits.ADDITIONS_AT_ONCE + 1):
        with pytest.raises(OSError, match="directory"):
            additions._start(addition, state, "Reading", lambda progress: None)
    wait_for_permits()


def test_a_data_folder_that_cannot_be_used_is_said(local: Client, settings: Settings) -> None:
    Path(settings.DATA).write_text("a file")
    sent = send(local, ("a.bib", NEW))
    assert (sent.status_code, b"The server cannot keep files now" in getattr(sent, "content", b"")) == (503, True)


def test_only_the_form_takes_large_requests_and_only_from_those_it_was_shown_to(local: Client) -> None:
    permit = f"{PERMIT}={local.get('/library/add/').cookies[PERMIT].value}"
    assert body_limit("/library/add/", f"a=b; {permit}") == limits.UPLOAD_BYTES
    assert body_limit("/library/%61dd/", permit) == limits.UPLOAD_BYTES
    for path, cookies in (
        ("/library/add/", ""),
        ("/library/add/", permit + "x"),
        ("/library/undo/", permit),
        ("/mcp", permit),
        ("/nothing", permit),
    ):
        assert body_limit(path, cookies) == limits.BODY_BYTES


def test_who_may_not_add_gets_no_permit(settings: Settings) -> None:
    settings.LIBRARY_CHANGES = "staff"
    assert PERMIT not in Client(headers={"host": "127.0.0.1:8000"}).get("/library/add/").cookies
