"""Adding papers in the browser: who may, what is shown before it is applied, and undo."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread, current_thread
from threading import local as local_to_thread

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from pytest_django import Settings

import ingest
from ingest import build_snapshot, update_library
from papercore import limits
from papers.library import additions, kept_work
from papers.library.additions import AdditionRefused
from papers.library.kept_work import KeptWork
from papers.snapshot import served
from papersite.accounts import owner
from papersite.accounts.roles import EDITORS
from papersite.command.commands import call_command
from papersite.server.body_limits import PERMIT, body_limit
from tests.ingest.library import LSTM, write_lines
from tests.ingest.pdf.made_pdf import Text, write_pdf

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


def test_what_was_compared_with_another_state_of_the_library_is_shown_anew_and_not_applied(
    local: Client, own_folder: Path, tmp_path: Path
) -> None:
    address = send(local, ("a.bib", NEW))["Location"]
    wait_for(local, address, "1 new, 0 that change")
    (tmp_path / "same.bib").write_bytes(NEW)
    update_library(own_folder, [tmp_path / "same.bib"])
    local.post(f"{address}apply/")
    page = wait_for(local, address, "has changed since this was compared")
    assert "0 new, 0 that change" in page
    assert "1 known already" in page


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
    held = [additions.ADDITIONS.free.acquire(blocking=False) for _ in range(additions.ADDITIONS_AT_ONCE)]
    try:
        response = send(local, ("a.bib", NEW))
        assert response.status_code == 409
        assert b"Try again in a minute" in b"".join(response)
    finally:
        for _ in filter(None, held):
            additions.ADDITIONS.free.release()


def test_reading_that_takes_long_can_be_cancelled(local: Client, own_folder: Path) -> None:
    sent = send(local, ("a.bib", NEW * 100_000))
    assert ">Cancel</button>" in local.get(sent["Location"]).content.decode()
    assert local.post(f"{sent['Location']}discard/")["Location"] == sent["Location"]
    wait_for(local, sent["Location"], "It was cancelled. The library is as it was.")
    wait_for_permits()
    assert dois(own_folder) == {"10.1162/neco.1997.9.8.1735"}


@pytest.mark.parametrize("files", [1, 50])
def test_reading_ends_when_its_time_is_over_whatever_the_number_of_files(
    files: int, local: Client, own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(additions, "READING_SECONDS", 0.1)
    monkeypatch.setattr(kept_work, "BEAT_SECONDS", 0.01)
    sent = send(local, *((f"{number}.bib", NEW * (100_000 // files)) for number in range(files)))
    page = wait_for(local, sent["Location"], "these files take too long to read")
    assert "It was stopped after 0.1 s" in page
    assert "Nothing was added." in page
    wait_for_permits()
    assert dois(own_folder) == {"10.1162/neco.1997.9.8.1735"}


def test_pdfs_that_were_not_reached_in_time_are_read_when_they_are_brought_again(
    local: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [[Text(f"Sentence {number} of a long paper on cats")] for number in range(100)]
    brought = []
    for number in range(6):
        pages[0] = [Text(f"On the weight of cats, part {number}", size=20)]
        write_pdf(tmp_path / f"{number}.pdf", pages)
        brought.append((f"{number}.pdf", (tmp_path / f"{number}.pdf").read_bytes()))
    with monkeypatch.context() as hurried:
        hurried.setattr(additions, "READING_SECONDS", 0.1)
        hurried.setattr(kept_work, "BEAT_SECONDS", 0.01)
        wait_for(local, send(local, *brought)["Location"], "PDFs that were read are not read again")
        wait_for_permits()
    page = wait_for(local, send(local, *brought)["Location"], "6 entries read")
    assert "cannot be read" not in page


def test_of_two_who_apply_an_addition_at_once_one_does(
    local: Client, own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = send(local, ("a.bib", NEW))
    wait_for(local, sent["Location"], "1 entry read")
    wait_for_permits()
    addition = additions.ADDITIONS.find(sent["Location"].split("/")[-2])
    both_looked, load, looked = Barrier(2), KeptWork.load, local_to_thread()

    def load_together(self: additions.Addition) -> additions.AdditionState:
        state = load(self)
        if current_thread() in appliers and not hasattr(looked, "once"):
            looked.once = True
            both_looked.wait(60)
        return state

    refused: list[str] = []

    def apply() -> None:
        try:
            additions.start_applying(addition)
        except AdditionRefused as error:
            refused.append(error.message)

    appliers = [Thread(target=apply) for _ in range(2)]
    monkeypatch.setattr(KeptWork, "load", load_together)
    for thread in appliers:
        thread.start()
    for thread in appliers:
        thread.join(120)
    wait_for(local, sent["Location"], "up to date")
    wait_for_permits()
    assert refused == ["It is being worked on, or was done already."]
    assert addition.load().status == "done"
    assert dois(own_folder) == {"10.1162/neco.1997.9.8.1735", "10.5555/cats"}


def wait_for_permits() -> None:
    taken = [additions.ADDITIONS.free.acquire(timeout=30) for _ in range(additions.ADDITIONS_AT_ONCE)]
    for _ in taken:
        additions.ADDITIONS.free.release()
    assert all(taken)


def test_a_state_that_cannot_be_kept_takes_no_permit(local: Client) -> None:
    sent = send(local, ("a.bib", NEW))
    wait_for(local, sent["Location"], "1 entry read")
    wait_for_permits()
    addition = additions.ADDITIONS.find(sent["Location"].split("/")[-2])
    state = addition.load()
    (addition.folder / "state.json").unlink()
    (addition.folder / "state.json" / "in the way").mkdir(parents=True)
    for _ in range(additions.ADDITIONS_AT_ONCE + 1):
        with pytest.raises(OSError, match="directory"):
            additions._start(addition, state, "Reading", lambda progress: None, 10)
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


def test_the_first_papers_of_ones_own_take_the_place_of_the_demo_and_later_ones_join_them(
    local: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.DEMO_SNAPSHOT, settings.OWN_SNAPSHOT = settings.SNAPSHOT, tmp_path / "mine" / "paper_snapshot.db"
    assert "This is the demo" in local.get("/library/add/").content.decode()
    sent = send(local, ("a.bib", NEW))
    wait_for(local, sent["Location"], "1 entry read")
    assert served.is_demo()
    local.post(f"{sent['Location']}apply/")
    wait_for(local, sent["Location"], "has taken the place of the demo")
    assert "This is the demo" not in local.get("/library/add/").content.decode()
    assert (settings.OWN_SNAPSHOT, str(tmp_path / "mine" / "static")) == (settings.SNAPSHOT, settings.ASSETS)
    (more := tmp_path / "more.bib").write_bytes(CHANGED)
    call_command("add_papers", str(more))
    assert dois(tmp_path / "mine") == {"10.5555/cats", "10.1162/neco.1997.9.8.1735"}


def test_papers_fields_and_matches_are_decided_one_by_one_before_anything_is_added(
    local: Client, own_folder: Path
) -> None:
    dogs = b"@article{d, title={On the weight of dogs}, author={Bell, Bo}, year={2001}, doi={10.5555/dogs}}\n"
    twin = b"@book{l, title={Long Short-Term Memory}, author={Somebody, Else}, year={2020}}\n"
    sent = send(local, ("a.bib", NEW + dogs + twin), ("b.bib", CHANGED))
    page = wait_for(local, sent["Location"], "4 entries read")
    addition = additions.ADDITIONS.find(sent["Location"].split("/")[-2]).load()
    number = {change.title: each for each, change in enumerate(addition.changes) if change.kind != "changed"}
    (changed,) = (each for each, change in enumerate(addition.changes) if change.kind == "changed")
    assert page.count('type="checkbox"') > 4
    assert "3 new, 1 that changes a paper you have, 0 known already" in page.replace("\n      ", " ")
    assert "Doubtful: the library also has" in page
    assert "authors differ and years differ" in page
    form = {"boxes": "1", **{f"take-{each}": "1" for each in range(4)}}
    del form[f"take-{number['On the weight of dogs']}"]
    cats = number["On the weight of cats"]
    bad = local.post(f"{sent['Location']}apply/", {**form, f"edit-{cats}-date": "soon"})
    assert bad.status_code == 400
    assert "soon is no date" in bad.content.decode()
    assert 'value="soon"' in bad.content.decode()
    form |= {f"edit-{cats}-title": "On the mass of cats", f"edit-{cats}-authors": "Ada Ames; Cy Coe"}
    form |= {f"edit-{cats}-kind": "paper-conference", f"edit-{cats}-pages": "7-9", f"edit-{cats}-doi": "10.5555/cat"}
    # The field of keywords is left as it is: its box is not sent.
    form |= {f"field-{changed}-{field.name}": "1" for field in addition.changes[changed].fields[:-1]}
    left = addition.changes[changed].fields[-1].name
    local.post(f"{sent['Location']}apply/", form)
    wait_for(local, sent["Location"], "up to date")
    with closing(sqlite3.connect(own_folder / "paper_snapshot.db")) as database:
        titles = {row[0]: row[1] for row in database.execute("SELECT title, paper_id FROM paper")}
        corrected = database.execute("SELECT count(*) FROM paper").fetchone()
    assert "On the mass of cats" in titles
    assert "On the weight of dogs" not in titles
    assert corrected == (3,)
    paper = ingest.known_paper(own_folder, titles["On the mass of cats"])
    assert paper
    assert paper.values["authors"] == "Ada Ames\nCy Coe"
    assert [paper.values[name] for name in ("kind", "pages", "doi")] == ["paper-conference", "7-9", "10.5555/cat"]
    assert {operation.by for operation in paper.operations} == {"the owner"}
    assert (left, addition.changes[changed].fields[-1].old) == ("keywords", "")
    with closing(sqlite3.connect(own_folder / "paper_snapshot.db")) as database:
        assert database.execute("SELECT count(*) FROM keyword WHERE value = 'gates'").fetchone() == (0,)
    ingest.undo(own_folder)
    assert dois(own_folder) == {"10.1162/neco.1997.9.8.1735"}


def test_a_removed_paper_that_is_brought_again_can_be_brought_back_there(local: Client, own_folder: Path) -> None:
    ingest.update_library(own_folder, remove=["10.1162/neco.1997.9.8.1735"])
    served.renew()
    sent = send(local, ("b.bib", CHANGED))
    page = wait_for(local, sent["Location"], "1 entry read")
    assert "papersite undo" not in page
    assert re.search(r"Bring it back\s*</button>", page)
    build = ingest.build_id_of(own_folder)
    assert f'name="build" value="{build}"' in page
    number = str(ingest.history(own_folder)[0].id)
    assert local.post("/library/undo/", {"build": build, "operation": number}).status_code == 302
    assert dois(own_folder) == {"10.1162/neco.1997.9.8.1735"}


@pytest.mark.parametrize(("choice", "papers"), [("another", 2), ("", 1)])
def test_what_is_not_the_same_becomes_a_paper_of_its_own(
    local: Client, own_folder: Path, choice: str, papers: int
) -> None:
    sent = send(local, ("b.bib", CHANGED))
    wait_for(local, sent["Location"], "1 entry read")
    local.post(f"{sent['Location']}apply/", {"boxes": "1", "take-0": "1", "is-0": choice})
    wait_for(local, sent["Location"], "up to date")
    with closing(sqlite3.connect(own_folder / "paper_snapshot.db")) as database:
        assert database.execute("SELECT count(*) FROM paper").fetchone() == (papers,)


def test_a_pdf_is_shown_with_its_first_page_before_it_is_added(local: Client, tmp_path: Path) -> None:
    file = write_pdf(tmp_path / "tides.pdf", [[Text("On Tides", size=18), Text("Ada Fluvius", top=100)]])
    sent = send(local, ("tides.pdf", file.read_bytes()), ("a.bib", NEW))
    page = wait_for(local, sent["Location"], "2 entries read")
    assert f"{sent['Location']}page/0/" in page
    picture = local.get(f"{sent['Location']}page/0/")
    assert (picture["Content-Type"], picture.content[:4]) == ("image/png", b"\x89PNG")
    assert local.get(f"{sent['Location']}page/1/").status_code == 404
    assert local.get(f"{sent['Location']}page/9/").status_code == 404
    assert Client(headers={"host": "127.0.0.1:8000"}).get(f"{sent['Location']}page/0/").status_code == 302
