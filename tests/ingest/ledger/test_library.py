"""A library is kept: nobody impoverishes its records, and what people corrected lasts."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ingest import (
    BuildError,
    ChangeSettings,
    UpdateReport,
    build_id_of,
    edit_paper,
    history,
    known_paper,
    merge_papers,
    preview_update,
    redo,
    split_paper,
    undo,
    update_library,
)
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.matching.corrections import corrections_of
from tests.ingest.library import build, write_lines
from tests.ingest.library_content import content
from tests.ingest.pdf.made_pdf import Text, paragraph, write_pdf
from tests.ingest.reading.made_zotero import MadeZotero

VASWANI = """@inproceedings{vaswani2017attention,
  title = {Attention Is All You Need},
  author = {Vaswani, Ashish and Shazeer, Noam and Parmar, Niki and Uszkoreit, Jakob and Jones, Llion and
            Gomez, Aidan N. and Kaiser, Lukasz and Polosukhin, Illia},
  booktitle = {Advances in Neural Information Processing Systems},
  year = {2017}, pages = {6000--6010}, eprint = {1706.03762}, archiveprefix = {arXiv}
}
"""
PASTED = """@article{attention, title={Attention Is All You Need}, author={Ashish Vaswani and others}, year={2017}}
"""
HOARE_ARTICLE = """@article{hoare1978, title={Communicating Sequential Processes}, author={Hoare, C. A. R.},
  journal={Communications of the ACM}, year={1978}, pages={666--677}}
"""
DYNAMO = """@inproceedings{decandia2007, title={Dynamo: Amazon's Highly Available Key-value Store},
  author={DeCandia, Giuseppe and Hastorun, Deniz and Jampani, Madan}, booktitle={SOSP}, year={2007},
  pages={205--220}}
"""
WORDS = "Reliability at massive scale is one of the biggest challenges that we face. " * 8


def bib(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def rows(library: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(library / "paper_snapshot.db")) as database:
        return database.execute(sql, values).fetchall()


def authors(library: Path, paper_id: str) -> list[str]:
    summary = json.loads((library / "static" / "summary" / f"{paper_id}.json").read_text())
    return list(summary["paper_authors"])


def only_id(library: Path) -> str:
    ((paper_id,),) = rows(library, "SELECT paper_id FROM paper")
    return str(paper_id)


def pdf(path: Path, title: str, author: str, pages: int = 1) -> Path:
    first = [Text(title, size=18), Text(author, top=100), *paragraph(WORDS, 72, 140, 80)]
    return write_pdf(path, [first, *([[*paragraph(WORDS, 72, 140, 80)]] * (pages - 1))])


@pytest.mark.parametrize("in_one", [True, False])
@pytest.mark.parametrize("names", [("whole.bib", "pasted.bib"), ("pasted.bib", "whole.bib")])
def test_and_others_takes_no_author_page_or_key_away(tmp_path: Path, names: tuple[str, str], in_one: bool) -> None:
    texts = {"whole.bib": VASWANI, "pasted.bib": PASTED}
    paths = [bib(tmp_path / name, texts[name]) for name in names]
    library = tmp_path / "library"
    for step in [paths] if in_one else [[path] for path in paths]:
        update_library(library, step)
    assert len(authors(library, only_id(library))) == 8
    ((raw, key),) = rows(library, "SELECT bibtex_raw, bibtex_key FROM paper_bibtex")
    assert key == "vaswani2017attention"
    assert "6000--6010" in str(raw)
    assert "1706.03762" in str(raw)


def test_a_library_of_before_is_adopted_and_keeps_its_ids_and_records(tmp_path: Path) -> None:
    library = build(tmp_path / "library", bib(tmp_path / "whole.bib", VASWANI)).out
    paper_id = only_id(library)
    assert not (library / LEDGER).exists()
    report = update_library(library, [bib(tmp_path / "pasted.bib", PASTED)])
    assert [change.kind for change in report.changes] == ["changed"]  # it has one more key
    assert only_id(library) == paper_id
    assert len(authors(library, paper_id)) == 8
    assert rows(library, "SELECT bibtex_key FROM paper_bibtex") == [("vaswani2017attention",)]


def test_a_stub_says_nothing(tmp_path: Path) -> None:
    library = tmp_path / "library"
    bert = {"title": "BERT", "authors": ["Jacob Devlin"], "year": 2019, "arxiv_id": "1810.04805"}
    update_library(library, [write_lines(tmp_path / "bert.jsonl", bert)])
    stub = tmp_path / "stub.json"
    stub.write_text(json.dumps([{"type": "article", "title": "arxiv:1810.04805", "number": "arXiv:1810.04805"}]))
    update_library(library, [stub])
    assert rows(library, "SELECT title FROM paper") == [("BERT",)]


def test_a_book_is_not_the_article_of_the_same_title(tmp_path: Path) -> None:
    library = tmp_path / "library"
    article = pdf(tmp_path / "hoare1978.pdf", "Communicating Sequential Processes", "C. A. R. Hoare", pages=3)
    update_library(library, [bib(tmp_path / "a.bib", HOARE_ARTICLE), article])
    before = content(library)["paper"]
    book = pdf(tmp_path / "cspbook.pdf", "Communicating Sequential Processes", "C. A. R. Hoare", pages=60)
    report = update_library(library, [book])
    assert [change.kind for change in report.changes if change.kind != "unchanged"] == ["added"]
    assert before[0] in content(library)["paper"]


@pytest.mark.parametrize("order", [("pdf", "bib"), ("bib", "pdf"), ("both",)])
def test_a_pdf_and_its_entry_are_one_paper_in_any_order(tmp_path: Path, order: tuple[str, ...]) -> None:
    library = tmp_path / "library"
    title = "Dynamo: Amazon's Highly Available Key-value Store"
    file = pdf(tmp_path / "amazon.pdf", title, "Giuseppe DeCandia and Deniz Hastorun", pages=3)
    entry = bib(tmp_path / "d.bib", DYNAMO)
    steps = {"pdf": [file], "bib": [entry], "both": [entry, file]}
    for step in order:
        update_library(library, steps[step])
    ((year, has_pdf),) = rows(library, "SELECT year, pdf_content_hash IS NOT NULL FROM paper")
    assert (year, has_pdf) == ("2007", 1)


def test_a_second_import_reads_no_pdf_and_changes_nothing(tmp_path: Path) -> None:
    library = tmp_path / "library"
    file = pdf(tmp_path / "a.pdf", "On Rivers and Their Deltas", "Ada Fluvius")
    update_library(library, [file])
    with closing(sqlite3.connect(library / "readings.db")) as database:
        database.execute("UPDATE reading SET failure = ''")
        first = database.execute("SELECT rowid, name FROM reading").fetchall()
    build_id = build_id_of(library)
    report = update_library(library, [file])
    assert [change.kind for change in report.changes] == ["unchanged"]
    assert build_id_of(library) == build_id
    with closing(sqlite3.connect(library / "readings.db")) as database:
        assert database.execute("SELECT rowid, name FROM reading").fetchall() == first


def test_a_title_edited_in_zotero_changes_that_paper_alone(tmp_path: Path) -> None:
    zotero = MadeZotero(tmp_path / "Zotero")
    items = [
        zotero.item("journalArticle", title=f"Paper number {number}", DOI=f"10.1000/{number}", date="2020-01-01")
        for number in range(3)
    ]
    library = tmp_path / "library"
    update_library(library, [tmp_path / "Zotero"])
    zotero.database.execute(
        "UPDATE itemData SET valueID = ? WHERE itemID = ? AND valueID ="
        " (SELECT valueID FROM itemDataValues WHERE value = 'Paper number 1')",
        (_value(zotero, "A better title"), items[1]),
    )
    zotero.database.commit()
    report = update_library(library, [tmp_path / "Zotero"])
    assert sorted(change.kind for change in report.changes) == ["changed", "unchanged", "unchanged"]
    assert "A better title" in {row[0] for row in rows(library, "SELECT title FROM paper")}


def _value(zotero: MadeZotero, text: str) -> int:
    return int(zotero.database.execute("INSERT INTO itemDataValues (value) VALUES (?)", (text,)).lastrowid or 0)


class TestCorrections:
    def library(self, tmp_path: Path) -> Path:
        update_library(tmp_path / "library", [bib(tmp_path / "a.bib", VASWANI), bib(tmp_path / "d.bib", DYNAMO)])
        return tmp_path / "library"

    def edit(self, library: Path, paper: str, **fields: str) -> UpdateReport:
        return edit_paper(library, paper, corrections_of(fields))

    def test_a_correction_outlives_every_import_and_is_in_the_bibtex(self, tmp_path: Path) -> None:
        library = self.library(tmp_path)
        self.edit(library, "decandia2007", title="Dynamo", authors="Giuseppe DeCandia; Werner Vogels", year="2008")
        update_library(library, [bib(tmp_path / "again.bib", DYNAMO.replace("SOSP", "Symposium on Systems"))])
        sql = "SELECT p.paper_id, title, year, bibtex_raw FROM paper p JOIN paper_bibtex b USING (paper_id)"
        ((paper_id, title, year, raw),) = rows(library, f"{sql} WHERE bibtex_key = 'decandia2007'")
        assert (title, year) == ("Dynamo", "2008")
        assert authors(library, str(paper_id)) == ["Giuseppe DeCandia", "Werner Vogels"]
        assert "title = {Dynamo}" in str(raw)
        assert "Vogels" in str(raw)
        assert "2007," not in str(raw).partition("year")[2]

    def test_operations_are_taken_back_one_by_one_and_made_again(self, tmp_path: Path) -> None:
        library = self.library(tmp_path)
        before = content(library)
        self.edit(library, "decandia2007", title="Dynamo")
        update_library(library, remove=["vaswani2017attention"])
        after = content(library)
        edited = history(library)[1]
        undo(library, edited.id)
        assert {row[0] for row in rows(library, "SELECT title FROM paper")} == {
            "Dynamo: Amazon's Highly Available Key-value Store"
        }
        undo(library)
        assert content(library) == before
        redo(library)
        redo(library)
        assert content(library) == after

    def test_what_was_taken_back_last_is_made_again_first(self, tmp_path: Path) -> None:
        library = self.library(tmp_path)
        for title in ("One", "Two", "Three"):
            self.edit(library, "decandia2007", title=title)
        first, second, third = (each.id for each in reversed(history(library)[:3]))
        taken_back = [undo(library, number) for number in (first, third, second)]
        assert all(each.describe().endswith("(taken back)") for each in taken_back)
        made_again = [redo(library) for _ in taken_back]
        assert [each.id for each in made_again] == [second, third, first]
        assert not any(each.describe().endswith("(taken back)") for each in made_again)

    def test_a_removed_paper_stays_removed_and_says_so(self, tmp_path: Path) -> None:
        library = self.library(tmp_path)
        update_library(library, remove=["vaswani2017attention"])
        for path in (tmp_path / "a.bib", bib(tmp_path / "pasted.bib", PASTED)):
            report = update_library(library, [path])
            assert "it was removed and stays so" in report.problems[0].message
            assert report.changes[0].removed_by == history(library)[0].id
            assert "papersite undo" in report.details()[0]
        assert len(rows(library, "SELECT 1 FROM paper")) == 1
        undo(library, next(each.id for each in history(library) if each.kind == "remove"))
        assert len(rows(library, "SELECT 1 FROM paper")) == 2

    def test_papers_are_merged_and_split_by_what_a_person_says(self, tmp_path: Path) -> None:
        library = self.library(tmp_path)
        before = content(library)
        merge_papers(library, ["vaswani2017attention", "decandia2007"])
        paper_id = only_id(library)
        update_library(library, [tmp_path / "a.bib", tmp_path / "d.bib"])
        assert only_id(library) == paper_id
        with closing(Ledger(library / LEDGER)) as ledger:
            entries = sorted(ledger.entries_of([paper_id]))
        split_paper(library, paper_id, entries[1:])
        assert {row[4] for row in content(library)["paper"]} == {row[4] for row in before["paper"]}
        with pytest.raises(BuildError, match="not all"):
            split_paper(library, paper_id, [])

    def test_a_build_does_not_lose_corrections(self, tmp_path: Path) -> None:
        library = self.library(tmp_path)
        self.edit(library, "decandia2007", title="Dynamo")
        with pytest.raises(BuildError, match="corrections of people"):
            build(library, tmp_path / "a.bib")

    def test_what_makes_no_sense_is_refused(self) -> None:
        for field, value in (("title", ""), ("doi", "n/a"), ("year", "soon"), ("key", "a b"), ("colour", "red")):
            with pytest.raises(BuildError):
                corrections_of({field: value})

    def test_undo_of_a_state_that_was_not_shown_is_refused(self, tmp_path: Path) -> None:
        library = self.library(tmp_path)
        shown = build_id_of(library)
        self.edit(library, "decandia2007", title="Dynamo")
        with pytest.raises(BuildError, match="has changed since"):
            undo(library, settings=ChangeSettings(shown_build=shown))


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    bad, empty = tmp_path / "bad.pdf", bib(tmp_path / "empty.bib", "")
    bad.write_bytes(b"no pdf")
    report = update_library(tmp_path / "library", [bad, bib(tmp_path / "a.bib", VASWANI), empty, tmp_path / "none.bib"])
    assert (report.count("added"), report.skipped) == (1, 3)
    assert set(report.unusable) == {bad, empty, tmp_path / "none.bib"}


def test_a_preview_says_field_by_field_what_would_change_and_from_where(tmp_path: Path) -> None:
    library = tmp_path / "library"
    update_library(library, [bib(tmp_path / "pasted.bib", PASTED)])
    report = preview_update(library, [bib(tmp_path / "whole.bib", VASWANI)])
    (change,) = report.changes
    fields = {field.name: field for field in change.fields}
    assert fields["authors"].old == "Ashish Vaswani"
    assert fields["authors"].new.endswith("Illia Polosukhin")
    assert fields["authors"].source.endswith("whole.bib")
    assert fields["authors"].reason == "it says more"
    assert [(Path(name).name, value) for name, value in fields["authors"].losing] == [("pasted.bib", "Ashish Vaswani")]
    assert "title" not in fields
    assert len(authors(library, only_id(library))) == 1


def test_a_preview_says_which_source_counts_more_and_what_an_unchanged_paper_was_said_to_be(tmp_path: Path) -> None:
    library, title = tmp_path / "library", "The Movement of Sand in Shallow Rivers"
    update_library(library, [pdf(tmp_path / "sand.pdf", title, "Ada Fluvius")])
    stated = f"@article{{sand, title={{{title}}}, author={{Ada K. Fluvius and Bea Delta}}, year={{1998}}}}"
    given = bib(tmp_path / "a.bib", stated)
    (change,) = preview_update(library, [given]).changes
    (authors,) = (field for field in change.fields if field.name == "authors")
    assert authors.reason == "a bibliography above a PDF's first page"
    assert authors.losing == ((str(tmp_path / "sand.pdf"), "Ada Fluvius"),)
    update_library(library, [given])
    less = bib(tmp_path / "b.bib", stated.replace(" K. Fluvius and Bea Delta", " Fluvius"))
    report = preview_update(library, [less])
    assert not report.changes[0].fields
    said = report.details(in_full=True)
    assert "    says the same: title, date, kind, key" in said
    assert "    authors stays Ada K. Fluvius; Bea Delta, not Ada Fluvius" in said


@pytest.mark.parametrize("is_cited_first", [True, False])
def test_other_papers_references_fill_what_a_pdf_does_not_say_and_are_named(
    tmp_path: Path, is_cited_first: bool
) -> None:
    library, title = tmp_path / "library", "The Movement of Sand in Shallow Rivers"
    cited = pdf(tmp_path / "cited.pdf", title, "Ada Fluvius")
    entry = f"[1] A. Fluvius and B. Coe. {title}. Journal of Deltas, 4(2):1-9, 1998."
    first = [Text("On Tides and Their Traces", size=18), Text("Bo Estuary", top=100), *paragraph(WORDS, 72, 140, 80)]
    last = [Text("References", size=14, top=300), *paragraph(entry, 72, 330, 80)]
    citing = write_pdf(tmp_path / "citing.pdf", [[*first, *last]])
    for path in (cited, citing) if is_cited_first else (citing, cited):
        update_library(library, [path])
    sql = "SELECT paper_id, year, venue FROM paper WHERE title = ?"
    ((paper_id, year, venue),) = rows(library, sql, title)
    assert (year, venue) == ("1998", "Journal of Deltas")
    known = known_paper(library, str(paper_id))
    assert known
    assert known.values["authors"] == "Ada Fluvius"
    assert [origin.agree for origin in known.origins() if origin.name == "date"] == [("references in other papers",)]
    undo(library, next(each.id for each in history(library) if "citing" in each.said))
    assert rows(library, sql, title)[0][1:] == ("unknown", "unknown")


def test_a_ledger_of_the_first_version_is_gone_on_with(tmp_path: Path) -> None:
    library = tmp_path / "library"
    update_library(library, [bib(tmp_path / "a.bib", PASTED)])
    with closing(sqlite3.connect(library / LEDGER)) as database:
        database.executescript(
            "DROP TABLE reference; ALTER TABLE operation DROP COLUMN taken_back; PRAGMA user_version=1;"
        )
    assert update_library(library, [bib(tmp_path / "b.bib", VASWANI)]).count("changed") == 1
    assert [operation.kind for operation in history(library)] == ["add", "add"]
