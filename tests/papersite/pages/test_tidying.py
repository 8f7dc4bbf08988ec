"""Which papers are one, what is missing, a PDF given to a paper: what people say counts, and can be taken back."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

import ingest
from ingest import known_paper, update_library
from papersite.accounts import owner
from tests.ingest.pdf.made_pdf import Text, paragraph, write_pdf
from tests.papersite.pages.test_records import local, own_library  # noqa: F401 - fixtures
from tests.papersite.test_library_pages import wait_for

pytestmark = [
    pytest.mark.django_db(databases=["default", "snapshot"]),
    pytest.mark.usefixtures("own_library"),
]
PREPRINT = "@article{p, title={On the weight of cats}, author={Ames, Ada}, year={1999}, doi={10.5555/preprint}}\n"
BOOK = "@article{b, title={On the weight of cats}, author={Ames, Ada}, year={2004}, doi={10.5555/journal}}\n"
WORDS = "Cats weigh more after meals, and less before them, as anybody can find out by a balance. " * 6


def add(folder: Path, text: str) -> dict[str, str]:
    """The ids of all papers by their DOIs."""
    (bib := folder.parent / "cats.bib").write_text(text)
    update_library(folder, [bib])
    return ids(folder)


def ids(folder: Path) -> dict[str, str]:
    with closing(sqlite3.connect(folder / "paper_snapshot.db")) as database:
        return dict(database.execute("SELECT coalesce(doi, title), paper_id FROM paper").fetchall())


def state(folder: Path, paper_id: str) -> str:
    paper = known_paper(folder, paper_id)
    assert paper
    return paper.state


def pair_form(folder: Path, one: str, other: str, said: str) -> dict[str, str]:
    return {"one": one, "other": other, "one_state": state(folder, one), "other_state": state(folder, other), said: "1"}


def test_likely_duplicates_are_merged_or_told_apart_for_good(local: Client, own_library: Path) -> None:  # noqa: F811
    found = add(own_library, PREPRINT + BOOK)
    one, other = found["10.5555/preprint"], found["10.5555/journal"]
    page = local.get("/library/duplicates/").content.decode()
    assert "1 pair of papers" in page
    assert "identifiers differ and years differ (1999, 2004)" in page.replace("2004, 1999", "1999, 2004")
    stale = {**pair_form(own_library, one, other, "apart"), "one_state": "another"}
    assert local.post("/library/duplicates/", stale).status_code == 409
    told = local.post("/library/duplicates/", pair_form(own_library, one, other, "apart"))
    page = local.get(told["Location"]).content.decode()
    assert "Kept apart" in page
    assert "0 pairs" in page
    number = told["Location"].partition("=")[2]
    local.post("/library/undo/", {"build": ingest.build_id_of(own_library), "operation": number})
    assert "1 pair of papers" in local.get("/library/duplicates/").content.decode()
    assert local.post("/library/duplicates/", pair_form(own_library, one, other, "same")).status_code == 302
    assert len(ids(own_library)) == 3
    ingest.undo(own_library)
    assert ids(own_library) == found


def test_what_was_told_apart_is_not_joined_by_a_later_entry(own_library: Path) -> None:  # noqa: F811
    bare = "@article{{{}, title={{On the weight of cats}}, author={{Ames, {}}}, year={{1999}}}}\n"
    add(own_library, bare.format("one", "Ada") + bare.format("two", "Bo"))
    with closing(sqlite3.connect(own_library / "paper_snapshot.db")) as database:
        rows = database.execute("SELECT paper_id FROM paper WHERE title LIKE '%cats'").fetchall()
    one, other = (row[0] for row in rows)
    ingest.tell_apart(own_library, one, other)
    (more := own_library.parent / "more.bib").write_text(bare.format("three", "Ada") + PREPRINT)
    update_library(own_library, [more])
    assert known_paper(own_library, one)
    assert known_paper(own_library, other)


def test_two_papers_are_compared_merged_and_split_again(local: Client, own_library: Path) -> None:  # noqa: F811
    found = add(own_library, PREPRINT + BOOK)
    one, other = found["10.5555/preprint"], found["10.5555/journal"]
    assert local.get(f"/library/papers/{one}/merge/?q=lstm").status_code == 200
    page = local.get(f"/library/papers/{one}/merge/?with={other}").content.decode()
    assert "Merged" in page
    assert "10.5555/journal" in page
    assert "10.5555/preprint" in page
    sent = {"with": other, "state": state(own_library, one), "other_state": "another"}
    assert local.post(f"/library/papers/{one}/merge/", sent).status_code == 409
    sent["other_state"] = state(own_library, other)
    merged = local.post(f"/library/papers/{one}/merge/", sent)
    left = merged["Location"].split("/")[2]
    assert left in (one, other)
    assert sum(known_paper(own_library, each) is not None for each in (one, other)) == 1
    paper = known_paper(own_library, left)
    assert paper
    assert "Split" in local.get(f"/library/papers/{left}/edit/").content.decode()
    assert local.post(f"/library/papers/{left}/split/", {"state": paper.state}).status_code == 409
    chosen = {"state": paper.state, "entry": [str(paper.sources[1].entry)]}
    assert local.post(f"/library/papers/{left}/split/", chosen).status_code == 302
    assert set(ids(own_library)) == set(found)


def test_a_pdf_is_given_to_a_paper_and_taken_back(
    local: Client,  # noqa: F811
    own_library: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    paper_id = add(own_library, PREPRINT)["10.5555/preprint"]
    assert "Attach PDF" in local.get("/library/incomplete/?missing=pdf").content.decode()
    file = write_pdf(tmp_path / "scan.pdf", [[Text("Untitled", size=18), *paragraph(WORDS, 72, 140, 80)]])
    assert "becomes that of" in local.get(f"/library/add/?attach={paper_id}").content.decode()
    upload = SimpleUploadedFile("scan.pdf", file.read_bytes())
    sent = local.post("/library/add/", {"files": [upload], "attach": paper_id})
    wait_for(local, sent["Location"], "Open the paper")
    paper = known_paper(own_library, paper_id)
    assert paper
    assert (paper.has_pdf, paper.title) == (True, "On the weight of cats")
    with closing(sqlite3.connect(own_library / "paper_snapshot.db")) as database:
        assert database.execute("SELECT paper_id FROM paper_fts WHERE source MATCH 'balance'").fetchall() == [
            (paper_id,)
        ]
    ingest.undo(own_library)
    paper = known_paper(own_library, paper_id)
    assert paper
    assert not paper.has_pdf
    refused = local.post("/library/add/", {"text": PREPRINT, "attach": paper_id})
    wait_for(local, refused["Location"], "Bring one PDF")
    assert "Bring one PDF" in local.post("/library/add/", {"files": [upload] * 2, "attach": paper_id}).content.decode()


def test_what_is_missing_is_counted_and_listed(local: Client, own_library: Path) -> None:  # noqa: F811
    add(own_library, "@misc{x, title={Nothing is known of this}}\n")
    for missing in ("authors", "year", "venue", "identifier", "text", "pdf"):
        page = local.get(f"/library/incomplete/?missing={missing}").content.decode()
        assert "Nothing is known of this" in page
    assert ingest.incomplete_papers(own_library, "authors")[1]["authors"] == 1
    assert local.get("/library/incomplete/?missing=wit").status_code == 400


def test_a_paper_is_looked_up_again_by_its_identifiers(
    local: Client,  # noqa: F811
    own_library: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("CROSSREF", "OPENALEX"):
        monkeypatch.setenv(f"PAPER_SEARCH_{name}_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PAPER_SEARCH_SOURCES", "crossref,openalex")
    found = add(own_library, PREPRINT + "@misc{x, title={Nothing is known of this}}\n")
    assert "Look up again" in local.get(f"/library/papers/{found['10.5555/preprint']}/history/").content.decode()
    sent = local.post(f"/library/papers/{found['10.5555/preprint']}/look-up/")
    assert sent["Location"].startswith("/library/add/")
    assert local.post(f"/library/papers/{found['Nothing is known of this']}/look-up/").status_code == 400


@pytest.mark.parametrize("path", ["duplicates/", "incomplete/", "papers/{}/merge/", "papers/{}/split/"])
def test_strangers_see_none_of_it(own_library: Path, settings: Settings, path: str) -> None:  # noqa: F811
    (paper_id, *_) = ids(own_library).values()
    stranger = Client(headers={"host": "127.0.0.1:8000"})
    assert stranger.get(f"/library/{path.format(paper_id)}")["Location"].startswith("/sign-in/")
    assert stranger.post(f"/library/{path.format(paper_id)}").status_code in (302, 405)
    stranger.cookies[owner.cookie_name()] = owner.cookie_value()
    settings.LIBRARY_CHANGES = "off"
    assert stranger.get(f"/library/{path.format(paper_id)}").status_code == 404
