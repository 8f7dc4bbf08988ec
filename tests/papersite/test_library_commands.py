"""build_snapshot, build_index and check_snapshot: the result on stdout, all else on stderr, exit codes for scripts."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError
from pytest_django import Settings

from ingest import known_paper, paper_called, update_library
from ingest.reading.looked_up import LookedUpPaper, write_looked_up
from papersite.command.commands import call_command
from tests.ingest.library import ATTENTION, LSTM, write_lines, write_summaries


class Ran:
    """A command that was run: its exit code and what it wrote."""

    def __init__(self, name: str, *arguments: object) -> None:
        stdout, stderr = StringIO(), StringIO()
        try:
            call_command(name, *map(str, arguments), stdout=stdout, stderr=stderr)
            self.code: object = 0
        except SystemExit as error:
            self.code = error.code
        self.stdout, self.stderr = stdout.getvalue(), stderr.getvalue()


def test_build_prints_the_counts_of_snapshot_and_index_and_nothing_else_on_stdout(tmp_path: Path) -> None:
    inputs = write_summaries(tmp_path / "a.json", ATTENTION), write_lines(tmp_path / "b.jsonl", LSTM, LSTM)
    ran = Ran("build_snapshot", *inputs, "--out", tmp_path / "out")
    assert ran.code == 0
    built, indexed = ran.stdout.splitlines()
    assert built == f"{tmp_path / 'out'}: 2 papers. Entries read: 3, merged: 1, skipped: 0."
    assert indexed == f"{tmp_path / 'out' / 'index'}: 2 papers indexed, 2 of them embedded anew."
    assert "Reading b.jsonl: 2" in ran.stderr


def test_a_skipped_entry_is_reported_and_gives_exit_code_1_but_the_rest_is_built(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "b.jsonl", LSTM, {"title": ""})
    ran = Ran("build_snapshot", lines, "--out", tmp_path / "out")
    assert ran.code == 1
    assert f"{lines}:2: no title" in ran.stderr
    assert "skipped: 1" in ran.stdout
    assert (tmp_path / "out" / "paper_snapshot.db").exists()


def test_a_file_that_cannot_be_used_is_skipped_like_an_entry(tmp_path: Path) -> None:
    (tmp_path / "md").mkdir()
    (tmp_path / "md" / "vaswani-2017.md").write_bytes(b"\xff")
    papers = write_summaries(tmp_path / "a.json", ATTENTION)
    ran = Ran("build_snapshot", papers, "--out", tmp_path / "out", "--markdown", tmp_path / "md")
    assert ran.code == 1
    assert "vaswani-2017.md: not UTF-8" in ran.stderr


def test_a_failed_build_ends_with_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is not a file"):
        call_command("build_snapshot", str(tmp_path / "none.bib"), "--out", str(tmp_path / "out"))


def test_check_counts_what_a_good_snapshot_holds(tmp_path: Path) -> None:
    Ran("build_snapshot", write_lines(tmp_path / "b.jsonl", LSTM), "--out", tmp_path / "out")
    ran = Ran("check_snapshot", tmp_path / "out")
    assert ran.code == 0
    lines = dict(line.rsplit(maxsplit=1) for line in ran.stdout.splitlines())
    assert (lines["papers"], lines["summaries"], lines["problems"]) == ("1", "1", "0")
    assert (lines["bibtex"], lines["DOIs"]) == ("yes", "1")


def test_check_without_a_path_looks_at_the_snapshot_that_is_served(tmp_path: Path, settings: Settings) -> None:
    Ran("build_snapshot", write_lines(tmp_path / "b.jsonl", LSTM), "--out", tmp_path / "out")
    settings.SNAPSHOT, settings.ASSETS = tmp_path / "out" / "paper_snapshot.db", "https://assets.internal/x"
    ran = Ran("check_snapshot")
    assert ran.code == 0
    assert "not checked: they come from a URL" in ran.stdout


def test_check_fails_on_a_file_that_is_no_snapshot(tmp_path: Path) -> None:
    (tmp_path / "paper_snapshot.db").write_bytes(b"not a database at all")
    ran = Ran("check_snapshot", tmp_path)
    assert ran.code == 1
    assert "not a readable SQLite database" in ran.stderr


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_commands_draw_bars(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, out = write_lines(tmp_path / "a.jsonl", LSTM), tmp_path / "out"
    stdout, stderr = StringIO(), Terminal()
    call_command("build_snapshot", lines, "--out", out, "--no-index", stdout=stdout, stderr=stderr)
    call_command("build_index", out, stdout=stdout, stderr=stderr)
    call_command("check_snapshot", out, stdout=stdout, stderr=stderr)
    bars = capsys.readouterr().err
    for label in ("Writing: 100%", "Indexing: 100%", "Checking assets: "):
        assert label in bars
    assert stderr.getvalue() == ""
    assert "1 papers indexed" in stdout.getvalue()


def test_identifiers_and_lists_of_them_are_added_like_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CROSSREF", "OPENALEX"):
        monkeypatch.setenv(f"PAPER_SEARCH_{name}_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PAPER_SEARCH_SOURCES", "crossref,openalex")
    (tmp_path / "list.txt").write_text("10.1000/abc\n10.1000/xyz rubbish")
    inputs = ["https://doi.org/10.1000/def", tmp_path / "list.txt", write_lines(tmp_path / "b.jsonl", LSTM)]
    ran = Ran("add_papers", *inputs, "--library", tmp_path / "library")
    assert ran.code == 1
    assert "papers added: 4" in ran.stdout
    assert ran.stderr.count("kept as a stub, look it up later") == 3
    assert "rubbish is neither" in ran.stderr


def test_a_preview_says_field_by_field_what_would_change_and_changes_nothing(tmp_path: Path) -> None:
    library = tmp_path / "library"
    Ran("add_papers", write_lines(tmp_path / "a.jsonl", {**LSTM, "venue": ""}), "--library", library)
    before = (library / "paper_snapshot.db").read_bytes()
    named = write_lines(tmp_path / "b.jsonl", {**LSTM, "venue": "Neural Computation"})
    ran = Ran("add_papers", named, "--preview", "--library", library)
    assert f"    venue: nothing -> Neural Computation ({named})" in ran.stdout.splitlines()
    assert (library / "paper_snapshot.db").read_bytes() == before


def test_a_bibliography_beside_pdfs_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "refs.bib").write_text("@article{a, title={Deltas of rivers}, author={Fluvius, Ada}, year={2001}}")
    (folder / "bad.pdf").write_bytes(b"no PDF at all")
    (tmp_path / "empty").mkdir()
    ran = Ran("add_papers", folder, tmp_path / "empty", "--library", tmp_path / "library")
    assert ran.code == 1
    assert "papers added: 1" in ran.stdout
    assert "bad.pdf" in ran.stderr
    assert "empty has no PDF in it" in ran.stderr


VASWANI = """@inproceedings{vaswani2017, title={Attention Is All You Need}, author={Ashish Vaswani and Noam Shazeer},
  booktitle={NeurIPS}, year={2017}, eprint={1706.03762}, archiveprefix={arXiv}}"""


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No service can be reached."""
    for name in ("CROSSREF", "OPENALEX", "ARXIV"):
        monkeypatch.setenv(f"PAPER_SEARCH_{name}_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PAPER_SEARCH_SOURCES", "crossref,openalex,arxiv")


@pytest.mark.usefixtures("nowhere")
def test_a_stub_says_nothing_of_a_paper_that_is_known(tmp_path: Path) -> None:
    library = tmp_path / "library"
    (tmp_path / "a.bib").write_text(VASWANI)
    Ran("add_papers", tmp_path / "a.bib", "--library", library)
    ran = Ran("add_papers", "https://arxiv.org/abs/1706.03762", "--library", library)
    assert (ran.code, "skipped: 0" in ran.stdout, "unchanged: 1" in ran.stdout) == (0, True, True)
    known = Ran("history", "vaswani2017", "--library", library).stdout
    assert "looked up in vain: arxiv:1706.03762" in known
    assert not any(word in known for word in ("issue", "identifiers", "article)", str(tmp_path)))


@pytest.mark.usefixtures("nowhere")
def test_a_stub_gives_way_to_what_comes_later(tmp_path: Path) -> None:
    library = tmp_path / "library"
    Ran("add_papers", "1706.03762", "--library", library)
    (tmp_path / "a.bib").write_text(VASWANI)
    ran = Ran("add_papers", tmp_path / "a.bib", "--library", library)
    assert "title: arxiv:1706.03762 -> Attention Is All You Need" in ran.stdout
    assert "    issue" not in ran.stdout
    assert "add arxiv:1706.03762;" in Ran("history", "--library", library).stdout


def test_what_is_looked_up_names_identifier_and_service_and_replaces_its_stub(tmp_path: Path) -> None:
    library = tmp_path / "library"
    item: dict[str, object] = {"type": "article", "title": "doi:10.1000/deep", "DOI": "10.1000/deep"}
    update_library(library, [write_looked_up(tmp_path, [LookedUpPaper("doi:10.1000/deep", "", item)])])
    found = LookedUpPaper("doi:10.1000/deep", "Crossref", {**item, "title": "Deep rivers"})
    update_library(library, [write_looked_up(tmp_path, [found])])
    paper = known_paper(library, paper_called(library, "10.1000/deep"))
    assert paper is not None
    assert [source.name for source in paper.sources] == ["looked up at Crossref: doi:10.1000/deep"]
    again = update_library(library, [write_looked_up(tmp_path, [LookedUpPaper("doi:10.1000/deep", "", item)])])
    assert [(each.kind, each.title) for each in again.changes] == [("unchanged", "Deep rivers")]


def test_a_key_of_two_papers_is_refused_with_their_ids(tmp_path: Path) -> None:
    library = tmp_path / "library"
    for number, title in enumerate(("One thing about rivers", "Another about lakes")):
        path = tmp_path / f"{number}.bib"
        path.write_text(f"@article{{b, title={{{title}}}, author={{Fluvius, Ada}}, year={{2001}}}}")
        Ran("add_papers", path, "--library", library)
    for command in (("edit", "b", "year=2002"), ("remove", "b"), ("history", "b")):
        with pytest.raises(CommandError, match=r"Several papers have the key b.*rivers.*lakes"):
            call_command(*command, "--library", str(library))


def test_two_new_papers_of_one_title_are_asked_about(tmp_path: Path) -> None:
    entry = "@article{{g{0}, title={{On ideal bodies}}, author={{Gauss, C.}}, year={{184{0}}}, doi={{10.1000/g{0}}}}}\n"
    (tmp_path / "a.bib").write_text(entry.format(5) + entry.format(6))
    ran = Ran("add_papers", tmp_path / "a.bib", "--preview", "--library", tmp_path / "library")
    assert ran.stdout.count("identifiers differ and years differ") == 2
    assert "    authors: C. Gauss" in ran.stdout


def test_wrong_input_is_said_once_with_what_could_be_meant(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"^nonsense is neither a file or folder nor a DOI, arXiv id or PMID\.$"):
        call_command("add_papers", "nonsense", "--library", str(tmp_path / "library"))


def test_what_the_browser_can_do_with_records_has_a_command(tmp_path: Path) -> None:
    library = tmp_path / "library"
    papers = [{**LSTM, "doi": "", "year": year, "citation_key": f"k{year}"} for year in (1990, 1997)]
    Ran("add_papers", write_lines(tmp_path / "a.jsonl", *papers), "--library", library)

    def ran(*arguments: object) -> str:
        return Ran(*map(str, arguments), "--library", library).stdout

    assert "1 pairs that may be one" in ran("duplicates")
    merged = ran("merge", "k1990", "k1997")
    assert "merged from" in merged
    assert "also known as key" in merged
    known = ran("history", "k1990")
    numbers = [line.split()[0] for line in known.splitlines() if line.endswith("a.jsonl")]
    assert len(numbers) == 2
    assert "added: 1" in ran("split", "k1990", numbers[1])
    assert "0 pairs" in ran("duplicates")
    assert "are two papers" in ran("tell_apart", "k1990", "k1997")
    assert "papers without authors: 0, year: 0, venue: 0, identifier: 2" in ran("incomplete", "pdf")
    assert ran("history").count(" by command") == 4
