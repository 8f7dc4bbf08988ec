"""A library is changed paper by paper: what an update leaves is what a build of the same inputs would."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ingest import BuildError, BuildFolders, build_snapshot, preview_update, redo, undo, update_library
from ingest.checking import check_snapshot
from ingest.entries.report import NoProgress
from ingest.matching.identity import paper_id_of
from papercore.snapshot.file import DATABASE, checksum_state
from tests.ingest.library import ATTENTION, LSTM, write_lines, write_summaries
from tests.ingest.library_content import assets, content
from tests.ingest.pdf.made_pdf import Text, write_pdf

ATTENTION_ID = paper_id_of("arxiv:1706.03762")
LSTM_ID = paper_id_of("doi:10.1162/neco.1997.9.8.1735")
GRU = {
    "title": "Learning Phrase Representations",
    "authors": ["Kyunghyun Cho", "Sepp Hochreiter"],
    "year": 2014,
    "month": "October",
    "venue": "EMNLP",
    "abstract": "Gated units encode and decode phrases.",
    "doi": "10.3115/v1/D14-1179",
    "keywords": ["attention", "phrases"],
    "tags": ["NLP"],
}
GRU_ID = paper_id_of("doi:10.3115/v1/d14-1179")
BIB = """@article{hochreiter1997long,
  title = {Long Short-Term Memory},
  author = {Hochreiter, Sepp and Schmidhuber, J{\\"u}rgen},
  journal = {Neural Computation},
  year = {1997},
  volume = {9},
  doi = {10.1162/neco.1997.9.8.1735},
  keywords = {recurrent networks}
}
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """With two papers, one of them with a summary, a source and an image."""
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "vaswani-2017.md").write_text("# Attention\n\nScaled dot products.\n\n![x](fig.png)\n")
    (sources / "fig.png").write_bytes(b"\x89PNG\r\n\x1a\n not really")
    inputs = [write_summaries(tmp_path / "a.json", ATTENTION), write_lines(tmp_path / "b.jsonl", LSTM)]
    build_snapshot(inputs, tmp_path / "library", BuildFolders(markdown=sources))
    return tmp_path / "library"


def is_sound(library: Path) -> bool:
    assert checksum_state(library / "paper_snapshot.db", 10) == "fits"
    with closing(sqlite3.connect(f"file:{library / 'paper_snapshot.db'}?mode=ro", uri=True)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    report = check_snapshot(library / "paper_snapshot.db", library / "static", "", NoProgress())
    return [problem for problem in report.problems if "index" not in problem] == []


def test_an_added_paper_is_where_a_build_would_put_it(library: Path, tmp_path: Path) -> None:
    added = write_lines(tmp_path / "c.jsonl", GRU)
    report = update_library(library, [added])
    assert [(change.paper_id, change.kind) for change in report.changes] == [(GRU_ID, "added")]
    built = [tmp_path / "a.json", tmp_path / "b.jsonl", added]
    build_snapshot(built, tmp_path / "built", BuildFolders(markdown=tmp_path / "sources"))
    assert content(library) == content(tmp_path / "built")
    assert assets(library) == assets(tmp_path / "built")
    assert is_sound(library)


def test_a_removed_paper_leaves_no_trace_in_the_tables(library: Path, tmp_path: Path) -> None:
    before = content(library)
    update_library(library, [write_lines(tmp_path / "c.jsonl", GRU)])
    report = update_library(library, remove=["10.3115/v1/D14-1179"])
    assert [(change.paper_id, change.kind) for change in report.changes] == [(GRU_ID, "removed")]
    assert content(library) == before
    assert is_sound(library)


def test_an_entry_about_a_paper_of_the_library_changes_it_under_its_id(library: Path, tmp_path: Path) -> None:
    bib = tmp_path / "new.bib"
    bib.write_text(BIB)
    report = update_library(library, [bib])
    (change,) = report.changes
    assert (change.paper_id, change.kind, change.matched_by) == (LSTM_ID, "changed", "doi")
    build_snapshot(
        [bib, tmp_path / "a.json", tmp_path / "b.jsonl"],
        tmp_path / "built",
        BuildFolders(markdown=tmp_path / "sources"),
    )
    assert content(library) == content(tmp_path / "built")
    assert assets(library) == assets(tmp_path / "built")
    assert is_sound(library)


def test_the_same_entry_again_changes_nothing(library: Path, tmp_path: Path) -> None:
    before = _identity(library / "paper_snapshot.db")
    report = update_library(library, [tmp_path / "a.json", tmp_path / "b.jsonl"])
    assert {change.kind for change in report.changes} == {"unchanged"}
    assert _identity(library / "paper_snapshot.db") == before


def _identity(path: Path) -> tuple[int, int, int]:
    """What changes when a file is written or replaced; reading alone may change the time of access."""
    status = path.stat()
    return status.st_ino, status.st_mtime_ns, status.st_size


def test_a_summary_is_added_to_a_paper_and_its_source_stays(library: Path, tmp_path: Path) -> None:
    deep = write_summaries(tmp_path / "d.json", {**ATTENTION, "summary": "Deeply read."}, template="deep")
    update_library(library, [deep])
    with closing(sqlite3.connect(library / "paper_snapshot.db")) as database:
        rows = database.execute("SELECT template_tag FROM paper_summary WHERE paper_id = ?", [ATTENTION_ID]).fetchall()
    assert sorted(rows) == [("deep",), ("simple",)]
    assert "Attention Scaled dot products. x" in [row[3] for row in content(library)["words"]]
    assert is_sound(library)


def test_a_source_is_matched_to_a_paper_of_the_library_by_its_name(library: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "Long Short-Term Memory.md").write_text("# LSTM\n\nConstant error flow.\n")
    report = update_library(library, folders=BuildFolders(markdown=texts))
    assert [(change.paper_id, change.kind) for change in report.changes] == [(LSTM_ID, "changed")]
    with closing(sqlite3.connect(library / "paper_snapshot.db")) as database:
        found = database.execute("SELECT paper_id FROM paper_fts WHERE source MATCH 'constant'").fetchall()
    assert found == [(LSTM_ID,)]
    assert is_sound(library)


def test_undo_brings_back_tables_and_assets(library: Path, tmp_path: Path) -> None:
    before, before_assets = content(library), assets(library)
    bib = tmp_path / "new.bib"
    bib.write_text(BIB)
    update_library(library, [bib, write_lines(tmp_path / "c.jsonl", GRU)], remove=[ATTENTION_ID])
    operation = undo(library)
    assert operation.said == f"new.bib c.jsonl {ATTENTION_ID}"
    assert content(library) == before
    assert assets(library).items() >= before_assets.items()
    assert is_sound(library)
    with pytest.raises(BuildError, match="no operation that was made"):
        undo(library)


def test_updates_are_undone_one_after_the_other(library: Path, tmp_path: Path) -> None:
    states = [content(library)]
    for number in range(2):
        paper = {**GRU, "title": f"Part {number}", "doi": f"10.1/{number}"}
        update_library(library, [write_lines(tmp_path / "c.jsonl", paper)])
        states.append(content(library))
    for state in (states[1], states[0]):
        undo(library)
        assert content(library) == state
    for state in (states[1], states[2]):
        redo(library)
        assert content(library) == state


def test_a_preview_of_the_first_papers_founds_no_library(tmp_path: Path) -> None:
    library, papers = tmp_path / "new", write_lines(tmp_path / "new.jsonl", GRU)
    assert [change.kind for change in preview_update(library, [papers]).changes] == ["added"]
    assert not (library / DATABASE).exists()
    assert [change.kind for change in update_library(library, [papers]).changes] == ["added"]
    assert (library / DATABASE).exists()


def test_files_without_a_paper_found_no_library(tmp_path: Path) -> None:
    (empty := tmp_path / "empty.bib").write_text("% nothing\n")
    with pytest.raises(BuildError, match="no paper found"):
        update_library(tmp_path / "new", [empty])
    assert not (tmp_path / "new" / DATABASE).exists()
    assert update_library(tmp_path / "new", [write_lines(tmp_path / "new.jsonl", GRU)]).count("added") == 1


def test_a_preview_says_what_would_happen_and_changes_nothing(library: Path, tmp_path: Path) -> None:
    before = assets(library)
    other = {**LSTM, "doi": "10.9999/other", "year": 2020}
    bib = tmp_path / "new.bib"
    bib.write_text(BIB)
    report = preview_update(library, [bib, write_lines(tmp_path / "c.jsonl", GRU, other)], remove=[ATTENTION_ID])
    kinds = {change.paper_id: change.kind for change in report.changes}
    assert kinds[LSTM_ID] == "changed"
    assert kinds[GRU_ID] == "added"
    assert kinds[ATTENTION_ID] == "removed"
    (doubtful,) = [change for change in report.changes if change.doubts and change.kind == "added"]
    assert [twin.paper_id for twin in doubtful.twins] == [LSTM_ID]
    assert assets(library) == before
    assert not (library / ".versions").exists()


def test_a_pdf_named_after_a_paper_of_the_library_needs_no_entry_of_its_own(library: Path, tmp_path: Path) -> None:
    update_library(library, [write_lines(tmp_path / "c.jsonl", {**GRU, "bibkey": "cho2014"})])
    pdf = write_pdf(tmp_path / "cho2014.pdf", [[Text("Encoders and decoders of phrases")]])
    report = update_library(library, [pdf])
    assert [(change.paper_id, change.kind, change.places) for change in report.changes] == [
        (GRU_ID, "changed", (f"{pdf}:1",))
    ]


def test_an_unknown_paper_is_refused_before_anything_changes(library: Path) -> None:
    with pytest.raises(BuildError, match="There is no paper nonsense"):
        update_library(library, remove=["nonsense"])
