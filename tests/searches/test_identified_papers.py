"""manage.py look_up, from identifiers to a library."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError

from papersite.command.commands import call_command
from tests.ingest.library import build
from tests.paper_search.http_server import Answer, serving
from tests.paper_search.sources.test_lookup import CROSSREF_WORK, NOT_FOUND


def look_up(*names: str, out: Path, offline: bool = False) -> tuple[int, str, str]:
    """Exit code, and what was printed and noted."""
    printed, noted = StringIO(), StringIO()
    try:
        call_command("look_up", *names, out=out, offline=offline, stdout=printed, stderr=noted)
    except SystemExit as stop:
        return int(stop.code or 0), printed.getvalue(), noted.getvalue()
    return 0, printed.getvalue(), noted.getvalue()


def test_identifiers_become_papers_of_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Answer(CROSSREF_WORK)) as crossref:
        monkeypatch.setenv("PAPER_SEARCH_SOURCES", "crossref")
        monkeypatch.setenv("PAPER_SEARCH_CROSSREF_URL", crossref.address)
        code, printed, _ = look_up("https://doi.org/10.1038/nature14539", out=tmp_path / "papers.json")
    assert (code, printed.strip()) == (0, f"{tmp_path / 'papers.json'}: 1 papers found, 0 stubs.")
    built = build(tmp_path / "library", tmp_path / "papers.json")
    assert built.rows("SELECT title, year, venue, doi FROM paper") == [
        ("Deep learning", "2015", "Nature", "10.1038/nature14539")
    ]
    raw = built.rows("SELECT bibtex_raw FROM paper_bibtex")[0][0]
    assert "436" in str(raw)
    assert "LeCun" in str(raw)


def test_offline_each_identifier_becomes_a_stub_with_a_note(tmp_path: Path) -> None:
    listed = tmp_path / "ids.txt"
    listed.write_text("# to read\n10.1000/abc\nPMID: 123\n", encoding="utf-8")
    code, printed, noted = look_up(str(listed), "2101.00001", out=tmp_path / "papers.json", offline=True)
    assert code == 1
    assert "0 papers found, 3 stubs" in printed
    assert noted.count("kept as a stub, look it up later (offline)") == 3
    items = json.loads((tmp_path / "papers.json").read_text())
    assert [item["title"] for item in items] == ["doi:10.1000/abc", "pmid:123", "arxiv:2101.00001"]
    built = build(tmp_path / "library", tmp_path / "papers.json")
    assert (built.report.papers, built.report.skipped) == (3, 0)
    assert built.rows("SELECT paper_key FROM paper WHERE doi IS NOT NULL") == [("doi:10.1000/abc",)]


def test_what_no_source_knows_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(NOT_FOUND) as crossref:
        monkeypatch.setenv("PAPER_SEARCH_SOURCES", "crossref,openalex")
        monkeypatch.setenv("PAPER_SEARCH_CROSSREF_URL", crossref.address)
        monkeypatch.setenv("PAPER_SEARCH_OPENALEX_URL", crossref.address)
        with pytest.raises(CommandError, match="No paper was found"):
            look_up("10.1000/typo", out=tmp_path / "papers.json")
    assert not (tmp_path / "papers.json").exists()


def test_words_that_are_no_identifiers_are_named(tmp_path: Path) -> None:
    code, _, noted = look_up("10.1000/abc", "rubbish", out=tmp_path / "papers.json", offline=True)
    assert code == 1
    assert "rubbish: neither a DOI" in noted
    with pytest.raises(CommandError, match="Nothing to look up"):
        look_up("rubbish", out=tmp_path / "papers.json", offline=True)
