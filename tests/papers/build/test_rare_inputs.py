"""Inputs that are seldom seen: each is read as far as it goes, and what cannot be used is said."""

import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from papers.build import BuildError, BuildFolders, snapshot
from papers.build import assets as build_assets
from papers.build.images import ImageFolders
from papers.build.readers import lines
from papers.build.readers.bib import read_bib
from papers.build.readers.json_file import read_json
from papers.check.snapshot import check_snapshot
from tests.papers.build.library import ATTENTION, LSTM, Built, build, write_lines, write_summaries


def built_from(tmp_path: Path, name: str, text: str) -> Built:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return build(tmp_path / "out", path)


def problems(built: Built) -> str:
    return "\n".join(map(str, built.report.problems))


def titles(built: Built) -> list[object]:
    return built.column("SELECT title FROM paper ORDER BY title")


def test_one_object_is_a_file_of_one_paper(tmp_path: Path) -> None:
    assert titles(built_from(tmp_path, "a.json", '{"title": "Alone", "authors": ["A B"]}')) == ["Alone"]


def test_items_of_a_reference_manager_are_read_and_what_is_none_is_said(tmp_path: Path) -> None:
    built = built_from(tmp_path, "a.json", '{"items": [{"type": "article", "title": "An Item"}, 5]}')
    assert titles(built) == ["An Item"]
    assert "not an object" in problems(built)


@pytest.mark.parametrize(("text", "said"), [('{"papers" []}', "a colon"), ('{"papers": [{} {}]}', "a comma")])
def test_json_that_breaks_off_says_where(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    assert said in "\n".join(map(str, read_json(path)))


def test_a_line_that_is_too_long_is_passed_over_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINE_BYTES", 100)
    path = tmp_path / "a.jsonl"
    path.write_text('{"title": "Short"}\n' + "x" * 350 + '\n{"title": "After"}\n')
    read = list(lines.read_lines(path))
    assert [line.problem for line in read] == ["", "longer than 100 bytes", ""]
    assert read[2].text == '{"title": "After"}'


def test_an_arxiv_id_is_found_where_bibtex_keeps_it(tmp_path: Path) -> None:
    bib = {"archiveprefix": "arXiv", "eprint": "1706.03762"}
    paper = {key: value for key, value in ATTENTION.items() if key != "arxiv_id"} | {"bibtex": {"fields": bib}}
    built = build(tmp_path / "out", write_summaries(tmp_path / "a.json", paper, {**LSTM, "summary": {"a": None}}))
    assert "arxiv:1706.03762" in built.column("SELECT paper_key FROM paper_key_alias")


def test_an_ris_entry_without_an_end_is_said(tmp_path: Path) -> None:
    built = built_from(tmp_path, "a.ris", "TY  - JOUR\nTI  - Whole\nER  -\nTY  - JOUR\nTI  - Open\n")
    assert titles(built) == ["Whole"]
    assert "no end of the entry" in problems(built)


def test_a_bibliography_without_entries_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_text("Nothing but prose.\n")
    assert list(read_bib(path)) == []


def test_many_problems_are_counted_and_the_first_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "_KEPT_PROBLEMS", 1)
    built = built_from(tmp_path, "a.jsonl", '{"title": "Good"}\nbad\nworse\n')
    assert (built.report.skipped, len(built.report.problems)) == (2, 1)


def test_folders_that_are_none_are_refused(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", LSTM)
    with pytest.raises(BuildError, match="is not a folder"):
        build(tmp_path / "out", source, folders=BuildFolders(markdown=source))
    with pytest.raises(BuildError, match="is not a folder"):
        build(source, source)


def test_two_papers_may_have_the_same_pdf_and_a_text_may_be_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_assets, "TEXT_BYTES", 100)
    for name in ("md", "pdf"):
        (tmp_path / name).mkdir()
    for stem in ("one", "two"):
        (tmp_path / "pdf" / f"{stem}.pdf").write_bytes(b"%PDF-1.4 the same")
        (tmp_path / "md" / f"{stem}.md").write_text("long " * 100)
    papers = [{"title": stem.title(), "source_path": f"{stem}.md"} for stem in ("one", "two")]
    folders = BuildFolders(markdown=tmp_path / "md", pdf=tmp_path / "pdf")
    built = build(tmp_path / "out", write_summaries(tmp_path / "a.json", *papers), folders=folders)
    assert len(list((built.out / "static" / "pdf").iterdir())) == 1
    assert "larger than 100 bytes" in problems(built)


def test_a_picture_is_a_file_with_a_pictures_ending(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    folders = ImageFolders([tmp_path], [tmp_path])
    assert [folders.find(name).path is None for name in ("notes.txt", "a.png", "a%00.png")] == [True, False, True]


def test_two_keys_of_one_bibliography_are_two_papers(tmp_path: Path) -> None:
    entry = "@article{%s, author={Doe, Jane}, title={The Same Title}, year=2020}\n"
    built = built_from(tmp_path, "a.bib", entry % "one" + entry % "two")
    assert titles(built) == ["The Same Title"] * 2


def test_an_entry_that_names_two_papers_does_not_join_them(tmp_path: Path) -> None:
    one = {"title": "First Work", "authors": ["Ann Lee"], "doi": "10.1000/one"}
    two = {"title": "Second Work", "authors": ["Bo Chen"], "doi": "10.1000/two", "arxiv_id": "2001.00001"}
    both = {"title": "First Work", "authors": ["Ann Lee", "Bo Chen"], "doi": "10.1000/one", "arxiv_id": "2001.00001"}
    files = [write_lines(tmp_path / f"{number}.jsonl", paper) for number, paper in enumerate((one, two, both))]
    assert titles(build(tmp_path / "out", *files)) == ["First Work", "Second Work"]


def test_an_array_may_hold_what_is_no_entry(tmp_path: Path) -> None:
    built = built_from(tmp_path, "a.json", '[{"type": "article", "title": "An Item"}, 5]')
    assert titles(built) == ["An Item"]
    assert built.report.skipped == 1


def test_a_snapshot_without_an_id_or_with_a_broken_rule_is_told(tmp_path: Path) -> None:
    out = build(tmp_path / "out", write_lines(tmp_path / "a.jsonl", LSTM)).out
    with closing(sqlite3.connect(out / "paper_snapshot.db")) as database:
        database.execute("DELETE FROM snapshot_meta WHERE key = 'snapshot_build_id'")
        database.commit()
    found = check_snapshot(out / "paper_snapshot.db", out / "static").problems
    assert any("has no snapshot_build_id" in problem for problem in found)


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_commands_draw_bars(tmp_path: Path) -> None:
    source, out = write_lines(tmp_path / "a.jsonl", LSTM), tmp_path / "out"
    told = StringIO()
    call_command("build_snapshot", source, "--out", out, "--no-index", stdout=told, stderr=Terminal())
    assert "1 paper" in told.getvalue()
    call_command("build_index", out, stdout=told, stderr=Terminal())
    call_command("check_snapshot", out, stdout=told, stderr=Terminal())
    assert "1 papers indexed" in told.getvalue()
