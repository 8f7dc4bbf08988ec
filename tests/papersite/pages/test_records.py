"""Correcting a paper in the browser: its fields, its history, removal, and what others changed meanwhile."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

import ingest
from ingest import build_snapshot, edit_paper, known_paper
from papers.snapshot import served
from papersite.accounts import owner
from tests.ingest.library import ATTENTION, LSTM, write_lines

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


@pytest.fixture
def own_library(tmp_path: Path, settings: Settings, library: Path) -> Iterator[Path]:
    build_snapshot([write_lines(tmp_path / "papers.jsonl", LSTM, ATTENTION)], tmp_path / "library")
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


def paper_ids(folder: Path) -> list[str]:
    """As the file has them now: a test's own connection stays with the file that it began with."""
    with closing(sqlite3.connect(folder / "paper_snapshot.db")) as database:
        return [row[0] for row in database.execute("SELECT paper_id FROM paper ORDER BY title DESC")]


def form_of(folder: Path, paper_id: str, **typed: str) -> dict[str, str]:
    """What a browser sends when these fields were typed over."""
    paper = known_paper(folder, paper_id)
    assert paper
    before = {f"before_{name}": value for name, value in paper.values.items()}
    return {**dict[str, str](paper.values.items()), **before, "state": paper.state, **typed}


def values(folder: Path, paper_id: str) -> dict[str, str]:
    paper = known_paper(folder, paper_id)
    assert paper
    return dict[str, str](paper.values.items())


def test_fields_are_corrected_shown_with_their_origin_and_taken_back(local: Client, own_library: Path) -> None:
    lstm = paper_ids(own_library)[0]
    page = local.get(f"/library/papers/{lstm}/edit/").content.decode()
    assert "Sepp Hochreiter\nJürgen Schmidhuber</textarea>" in page
    sent = form_of(
        own_library, lstm, authors="Sepp Hochreiter\r\nJ. Schmidhuber\r\n", pages="1735-1780", kind="article-journal"
    )
    saved = local.post(f"/library/papers/{lstm}/edit/", sent)
    assert saved["Location"] == f"/papers/{lstm}/?done=1"
    now = values(own_library, lstm)
    assert (now["authors"], now["pages"], now["kind"]) == (
        "Sepp Hochreiter\nJ. Schmidhuber",
        "1735-1780",
        "article-journal",
    )
    assert now["title"] == "Long Short-Term Memory"
    history = local.get(f"/library/papers/{lstm}/history/").content.decode()
    assert "Corrected" in history
    assert "the library as it was before says: <bdi>Sepp Hochreiter; Jürgen Schmidhuber</bdi>" in history
    build = ingest.build_id_of(own_library)
    undone = local.post("/library/undo/", {"build": build, "operation": "1", "paper": lstm})
    assert undone["Location"] == f"/papers/{lstm}/?undone=1"
    assert values(own_library, lstm)["authors"] == "Sepp Hochreiter\nJürgen Schmidhuber"


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("title", " ", "A paper needs a title."),
        ("date", "soon", "soon is no date"),
        ("doi", "nonsense", "nonsense is no DOI."),
        ("arxiv", "nonsense", "nonsense is no arXiv id."),
        ("kind", "<b>", "Choose one of the list."),
        ("key", "a, b", "cannot be the key"),
        ("abstract", "x" * 100_001, "longer than 100,000 characters"),
    ],
)
def test_what_makes_no_sense_is_said_at_its_field_and_kept(
    local: Client, own_library: Path, field: str, typed: str, message: str
) -> None:
    lstm = paper_ids(own_library)[0]
    before = values(own_library, lstm)
    sent = form_of(own_library, lstm, **{field: typed, "venue": "Neural <Comp>"})
    answer = local.post(f"/library/papers/{lstm}/edit/", sent)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert message in page.partition(f'id="{field}-said"')[2].partition("</div>")[0]
    assert 'value="Neural &lt;Comp&gt;"' in page
    assert values(own_library, lstm) == before


def test_what_others_changed_meanwhile_is_shown_and_not_lost(local: Client, own_library: Path) -> None:
    lstm = paper_ids(own_library)[0]
    sent = form_of(own_library, lstm, title="LSTM")
    edit_paper(own_library, lstm, {"title": "Long short-term memory", "volume": "9"})
    answer = local.post(f"/library/papers/{lstm}/edit/", sent)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "It now says: Long short-term memory" in page
    assert ">LSTM</textarea>" in page
    assert 'name="volume"\n            value="9"' in page
    assert local.post(f"/library/papers/{lstm}/edit/", form_of(own_library, lstm, title="LSTM")).status_code == 302
    assert (values(own_library, lstm)["title"], values(own_library, lstm)["volume"]) == ("LSTM", "9")


def test_a_change_of_another_paper_does_not_stand_in_the_way(local: Client, own_library: Path) -> None:
    lstm, attention = paper_ids(own_library)
    sent = form_of(own_library, lstm, volume="9")
    edit_paper(own_library, attention, {"volume": "30"})
    assert local.post(f"/library/papers/{lstm}/edit/", sent).status_code == 302


def test_a_doi_of_another_paper_is_refused_with_the_way_to_merge_both(local: Client, own_library: Path) -> None:
    lstm, attention = paper_ids(own_library)
    doi = values(own_library, lstm)["doi"]
    assert doi
    refused = local.post(f"/library/papers/{attention}/edit/", form_of(own_library, attention, doi=doi))
    assert refused.status_code == 409
    page = refused.content.decode()
    assert f"{doi} belongs to “Long Short-Term Memory”" in page
    assert f"/library/papers/{attention}/merge/?with={lstm}" in page


def test_nothing_typed_changes_nothing(local: Client, own_library: Path) -> None:
    lstm = paper_ids(own_library)[0]
    answer = local.post(f"/library/papers/{lstm}/edit/", form_of(own_library, lstm))
    assert answer["Location"] == f"/papers/{lstm}/"
    assert ingest.history(own_library) == []


def test_a_paper_is_removed_and_brought_back(local: Client, own_library: Path) -> None:
    lstm, attention = paper_ids(own_library)
    stale = local.post(f"/library/papers/{lstm}/remove/", {"state": "another"})
    assert stale.status_code == 409
    page = local.get(f"/library/papers/{lstm}/remove/").content.decode()
    state = page.partition('name="state" value="')[2].partition('"')[0]
    removed = local.post(f"/library/papers/{lstm}/remove/", {"state": state})
    assert removed["Location"] == "/library/add/?done=1"
    assert paper_ids(own_library) == [attention]
    assert local.get(f"/library/papers/{lstm}/edit/").status_code == 404
    done = local.get(removed["Location"]).content.decode()
    assert "Long Short-Term Memory" in done
    build = ingest.build_id_of(own_library)
    back = local.post("/library/undo/", {"build": build, "operation": "1", "paper": lstm})
    assert back["Location"] == f"/papers/{lstm}/?undone=1"
    assert set(paper_ids(own_library)) == {lstm, attention}


@pytest.mark.parametrize("view", ["edit", "history", "remove"])
def test_strangers_see_and_change_nothing(view: str, own_library: Path) -> None:
    lstm = paper_ids(own_library)[0]
    client = Client(headers={"host": "127.0.0.1:8000"})
    for answer in (client.get(f"/library/papers/{lstm}/{view}/"), client.post(f"/library/papers/{lstm}/{view}/")):
        assert answer.status_code in (302, 405)
        assert "Long" not in answer.content.decode()
    assert ingest.history(own_library) == []


def test_a_form_without_its_token_is_refused(local: Client, own_library: Path) -> None:
    lstm = paper_ids(own_library)[0]
    strict = Client(headers={"host": "127.0.0.1:8000"}, enforce_csrf_checks=True)
    strict.cookies = local.cookies
    assert strict.post(f"/library/papers/{lstm}/remove/", {"state": "x"}).status_code == 403


def test_only_who_may_edit_sees_the_button_also_when_the_page_is_cached(local: Client, library: Path) -> None:
    stranger = Client(headers={"host": "127.0.0.1:8000"})
    stranger.get("/papers/123/")  # it sets the cookie of forms
    page = stranger.get("/papers/123/")
    assert "/library/papers/123/edit/" not in page.content.decode()
    assert stranger.get("/papers/123/", headers={"if-none-match": page["ETag"]}).status_code == 304


def test_the_etag_of_a_page_depends_on_who_may_edit(local: Client, library: Path, settings: Settings) -> None:
    settings.LIBRARY_CHANGES = "local"
    stranger = Client(headers={"host": "127.0.0.1:8000"}).get("/papers/123/")
    assert local.get("/papers/123/", headers={"if-none-match": stranger["ETag"]}).status_code == 200


def test_the_demo_says_why_it_is_not_corrected(local: Client, own_library: Path, settings: Settings) -> None:
    settings.DEMO_SNAPSHOT = settings.SNAPSHOT
    lstm = paper_ids(own_library)[0]
    answer = local.get(f"/library/papers/{lstm}/edit/")
    assert answer.status_code == 409
    assert "This is the demo" in answer.content.decode()


def test_fields_that_only_the_bibtex_entry_has_are_shown_and_stay_when_another_is_corrected(
    local: Client, own_library: Path
) -> None:
    (bib := own_library.parent / "b.bib").write_text(
        "@article{h78, title={Communicating Sequential Processes}, author={Hoare, C. A. R.}, year={1978},"
        " journal={Communications of the ACM}, volume={21}, number={8}, pages={666--677}}"
    )
    ingest.update_library(own_library, [bib])
    (paper_id,) = (each for each in paper_ids(own_library) if values(own_library, each)["volume"] == "21")
    before = values(own_library, paper_id)
    assert (before["kind"], before["issue"], before["pages"]) == ("article-journal", "8", "666-677")
    local.post(f"/library/papers/{paper_id}/edit/", form_of(own_library, paper_id, volume="22"))
    assert values(own_library, paper_id) == {**before, "volume": "22"}
    local.post(f"/library/papers/{paper_id}/edit/", form_of(own_library, paper_id, issue=""))
    assert values(own_library, paper_id) == {**before, "volume": "22", "issue": ""}
