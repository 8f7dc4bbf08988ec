"""Pages and files that few ask for: odd lists, papers with a PDF, libraries with less than usual."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

import papers.health
from papercore import limits, snapshot_file
from papercore.health import LastLook
from papercore.snapshot_file import BadSnapshot, check, open_read_only
from papers.catalogue import names
from papers.errors import AssetFetchFailed
from papers.pages import overview
from papers.pages.charts import year_chart
from papers.search import index_documents
from papers.snapshot import served
from papers.templatetags.papers_text import people
from papers.texts.asset_store import FolderStore, UrlStore
from tests import snapshot as sample
from tests.snapshot import PAPERS, SamplePaper

HASH = "ab" * 32


def change(path: Path, *statements: str) -> None:
    """A new file in the snapshot's place, after the statements."""
    aside = path.with_name("aside.db")
    aside.write_bytes(path.read_bytes())
    database = sqlite3.connect(aside)
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()
    aside.replace(path)
    served.renew()


def test_a_paper_with_a_pdf_shows_and_gives_it(client: Client, own_library: Path) -> None:
    change(own_library, f"UPDATE paper SET pdf_content_hash = '{HASH}' WHERE paper_id = '123'")
    file = own_library.parent / "static" / "pdf" / f"{HASH}.pdf"
    file.parent.mkdir()
    file.write_bytes(b"%PDF-1.4")
    assert client.get("/papers/123/pdf/").status_code == 200
    assert client.get("/papers/123/paper.pdf").content == b"%PDF-1.4"
    assert "/papers/123/paper.pdf" in client.get("/papers/123/").content.decode()
    assert client.get("/papers/456/paper.pdf").status_code == 404


def test_a_list_comes_in_every_form(client: Client) -> None:
    client.post("/basket/toggle/", {"toggle": "123"})
    assert "TY  - " in client.get("/basket/papers.ris").content.decode()
    assert "Attention Is All You Need" in client.get("/basket/papers.md").content.decode()
    assert client.get("/basket/papers.doc").status_code == 400


def test_a_long_list_has_pages_with_gaps(client: Client, own_library: Path) -> None:
    many = [SamplePaper(f"p{number}", f"Paper {number}", [], year="2020") for number in range(160)]
    sample.build(own_library.parent, many)
    served.renew()
    first, fourth = (client.get(f"/papers/?page={page}").content.decode() for page in (1, 4))
    assert "page=2" in first
    assert "page=5" in fourth


def test_a_search_without_hits_offers_other_years(client: Client) -> None:
    page = client.get("/papers/?q=attention&year_from=1900&year_to=1901").content.decode()
    assert "In any year" in page


def test_what_stands_alone_has_no_company_and_an_unknown_kind_is_not_found(client: Client, own_library: Path) -> None:
    assert client.get("/by/nonsense/").status_code == 404
    sample.build(own_library.parent, [SamplePaper("one", "One", [], keywords=["alone"], year="2020", venue="")])
    served.renew()
    assert overview.co_occurring("keyword", "alone") == {}
    assert overview.co_occurring("keyword", "unheard of") == {}


def test_one_text_is_not_shown_beside_itself(client: Client) -> None:
    assert client.get("/papers/undated/side-by-side/")["Location"] == "/papers/undated/"


def test_long_lists_of_names_are_cut_and_charts_need_years() -> None:
    assert people(["a", "b", "c", "d", "e"]) == "a, b, c and 2 others"
    assert year_chart({}, lambda start, end: "") is None


def test_a_remote_store_and_a_library_without_summaries_are_looked_at(
    own_library: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(papers.health, "_remote", LastLook(papers.health.sample, 60))
    settings.ASSETS = "http://127.0.0.1:9"  # nobody listens there
    assert papers.health.assets_part().state == "degraded"
    sample.build(own_library.parent, [replace(PAPERS[0], summaries={})])
    served.renew()
    assert papers.health.sample().state == "ok"


def test_a_store_that_gave_no_answer_is_left_alone_for_a_moment() -> None:
    store = UrlStore("http://127.0.0.1:9")
    for _ in range(2):
        with pytest.raises(AssetFetchFailed, match="could not be fetched"):
            store.read("summary/123.json")
    store.client.close()


def test_in_a_large_library_without_index_only_venues_are_spelled(
    own_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SPELLING_PAPERS", 1)
    sample.build(own_library.parent, [replace(PAPERS[0], authors=[]), PAPERS[1]], build_id="e" * 32)
    served.renew()
    assert names._spelling("e" * 32).authors == {}
    monkeypatch.setattr(limits, "SPELLING_PAPERS", 10)
    assert list(names._spelling("d" * 32).authors) == ["456"]


def test_a_file_that_is_cut_short_is_refused(library: Path) -> None:
    connection = open_read_only(library)
    with pytest.raises(BadSnapshot, match="cut short"):
        check(connection, 4096)
    connection.close()


def test_a_file_that_breaks_its_own_rules_is_refused(own_library: Path) -> None:
    change(
        own_library,
        "CREATE TABLE rule (name TEXT)",
        "INSERT INTO rule VALUES (NULL)",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE rule (name TEXT NOT NULL)' WHERE name = 'rule'",
    )
    connection = open_read_only(own_library)
    with pytest.raises(BadSnapshot, match="quick_check"):
        check(connection, own_library.stat().st_size)
    connection.close()


def test_the_check_of_a_large_file_ends_when_its_time_is_up(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot_file, "STEPS_BETWEEN_LOOKS", 1)
    monkeypatch.setattr(limits, "QUERY_SECONDS", -1)
    connection = open_read_only(library)
    snapshot_file.quick_check(connection)
    connection.close()


def test_papers_without_a_text_are_indexed_and_texts_without_a_paper_are_not(own_library: Path) -> None:
    ghost = "INSERT INTO paper_fts VALUES ('ghost', 'Ghost', '', '', '', '')"
    change(own_library, "DELETE FROM paper_fts WHERE paper_id = '456'", ghost)
    store = FolderStore(str(own_library.parent / "static"))
    found = {document.id for document in index_documents.documents(own_library, store)}
    assert found == {paper.paper_id for paper in PAPERS}
