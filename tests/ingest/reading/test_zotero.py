"""A Zotero library becomes a library here, with everything its owner put into it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ingest import BuildError, BuildFolders, build_snapshot, update_library
from ingest.entries.entry import LocatedEntry, PaperEntry, Problem
from ingest.reading.confined import ConfinedReader
from papercore.bibliography.fields import PersonName
from tests.ingest.pdf.made_pdf import Text, write_pdf
from tests.ingest.pdf.test_description import FIRST_PAGE
from tests.ingest.reading.made_zotero import MadeZotero


@pytest.fixture
def zotero(tmp_path: Path) -> MadeZotero:
    return MadeZotero(tmp_path / "Zotero")


def read(zotero: MadeZotero, *linked: Path) -> list[LocatedEntry | Problem]:
    with closing(ConfinedReader([zotero.folder], linked)) as reader:
        return list(reader.read(zotero.folder))


def entries(zotero: MadeZotero) -> list[PaperEntry]:
    found = read(zotero)
    return [item.entry for item in found if isinstance(item, LocatedEntry)]


def test_an_article_comes_with_its_whole_record(zotero: MadeZotero) -> None:
    item = zotero.item(
        "journalArticle",
        title="Sand on the <i>move</i>",
        date="2017-06-00 June 2017",
        publicationTitle="Journal of Deltas",
        volume="12",
        issue="3",
        pages="1-20",
        DOI="https://doi.org/10.1000/DELTA.7",
        abstractNote="We measure sand.",
        ISSN="1234-5678",
        language="en",
        extra="Citation Key: shore2017\narXiv: 1706.03762 [cs.CL]",
    )
    zotero.creator(item, "author", "Ana", "Shore")
    zotero.creator(item, "editor", "Ed", "Itor")
    zotero.creator(item, "author", "", "Coastal Survey")
    zotero.tag(item, "to read")
    zotero.tag(item, "sediment", automatic=True)
    zotero.collection(item, "Thesis, chapter 2")
    (entry,) = entries(zotero)
    assert (entry.title, entry.date, entry.venue) == ("Sand on the move", "2017-06", "Journal of Deltas")
    assert entry.authors == ("Ana Shore", "Coastal Survey")
    assert (entry.doi, entry.arxiv, entry.bib_key) == ("10.1000/delta.7", "1706.03762", "shore2017")
    assert (entry.tags, entry.keywords) == (("Thesis, chapter 2", "to read"), ("sediment",))
    publication = entry.publication
    assert publication
    assert (publication.kind, publication.volume, publication.issue, publication.pages) == (
        "article-journal",
        "12",
        "3",
        "1-20",
    )
    assert publication.editors == (PersonName("Itor", "Ed"),)


@pytest.mark.parametrize(
    ("kind", "fields", "venue", "csl"),
    [
        ("conferencePaper", {"proceedingsTitle": "Proc. Deltas"}, "Proc. Deltas", "paper-conference"),
        ("bookSection", {"bookTitle": "The Shore"}, "The Shore", "chapter"),
        ("thesis", {"university": "Coast University"}, "Coast University", "thesis"),
        ("preprint", {"repository": "arXiv", "archiveID": "arXiv:2001.00001"}, "arXiv", "article"),
        ("podcast", {}, "", "document"),
    ],
)
def test_every_type_has_its_kind_and_venue(
    zotero: MadeZotero, kind: str, fields: dict[str, str], venue: str, csl: str
) -> None:
    zotero.item(kind, 1, title="A work", **fields)
    (entry,) = entries(zotero)
    assert entry.publication
    assert (entry.venue, entry.publication.kind) == (venue, csl)


def test_what_is_in_the_trash_or_a_feed_stays_out(zotero: MadeZotero) -> None:
    zotero.delete(zotero.item("book", title="Thrown away"))
    zotero.item("journalArticle", library=3, title="News")
    zotero.item("book", library=2, title="Of the group")
    (entry,) = entries(zotero)
    assert (entry.title, entry.tags) == ("Of the group", ("Coastal lab",))


def test_notes_and_annotations_are_a_text_of_the_paper(zotero: MadeZotero) -> None:
    item = zotero.item("book", title="The Shore", abstractNote="About sand.")
    zotero.note(item, "<p>Read <b>chapter 2</b> &amp; 3.</p><p>Again.</p>")
    zotero.delete(zotero.note(item, "<p>Wrong.</p>"))
    attachment, _ = zotero.attachment(item, "storage:a.pdf")
    zotero.annotation(attachment, "Sand moves.", "really?", "#ffd400", "7")
    (entry,) = entries(zotero)
    assert [summary.template for summary in entry.summaries] == ["abstract", "notes"]
    assert entry.summaries[1].text == (
        "Read chapter 2 & 3.\n\nAgain.\n\n## Annotations\n\n> Sand moves.\n\nreally? (p. 7, yellow)"
    )


def test_an_item_without_a_title_is_reported(zotero: MadeZotero) -> None:
    zotero.item("journalArticle", DOI="10.1000/1")
    (problem,) = read(zotero)
    assert isinstance(problem, Problem)
    assert str(problem).endswith("item KEY00001: no title")


def test_stored_and_linked_pdfs_are_read_into_the_library(zotero: MadeZotero, tmp_path: Path) -> None:
    stored = zotero.item("journalArticle", title="Stored", date="2001-00-00 2001")
    _, folder = zotero.attachment(stored, "storage:a file.pdf")
    write_pdf(folder / "a file.pdf", [FIRST_PAGE])
    linked = zotero.item("journalArticle", title="Linked")
    named = tmp_path / "named"
    named.mkdir()
    zotero.attachment(linked, str(write_pdf(named / "linked.pdf", [FIRST_PAGE])))
    lost = zotero.item("journalArticle", title="Lost")
    zotero.attachment(lost, "storage:../../../named/linked.pdf")
    elsewhere = zotero.item("journalArticle", title="Elsewhere")
    zotero.attachment(elsewhere, str(write_pdf(tmp_path / "private.pdf", [FIRST_PAGE])))
    report = build_snapshot([], tmp_path / "out", BuildFolders(zotero=zotero.folder, pdf=named))
    with sqlite3.connect(tmp_path / "out" / "paper_snapshot.db") as database:
        found = dict(database.execute("SELECT title, source_md_content_hash FROM paper"))
    assert [title for title, source in sorted(found.items()) if source] == ["Linked", "Stored"]
    assert [problem.message for problem in report.problems] == [
        "Lost: its PDF is not where Zotero says",
        "Elsewhere: its PDF is linked from outside of Zotero's folder; name the folder it is in with --zotero-base",
    ]


def test_a_pdf_without_an_item_is_a_paper_of_its_own(zotero: MadeZotero, tmp_path: Path) -> None:
    _, folder = zotero.attachment(None, "storage:loose.pdf")
    write_pdf(folder / "loose.pdf", [FIRST_PAGE])
    deleted, folder = zotero.attachment(None, "storage:deleted.pdf")
    write_pdf(folder / "deleted.pdf", [[Text("Thrown away", size=18)]])
    zotero.delete(deleted)
    zotero.attachment(None, "storage:lost.pdf")
    report = update_library(tmp_path / "library", [zotero.folder])
    assert [change.kind for change in report.changes] == ["added"]
    assert [str(problem) for problem in report.problems] == [
        f"{zotero.folder}: storage:lost.pdf: this PDF is not there"
    ]


def test_files_below_the_base_of_linked_attachments_are_read(zotero: MadeZotero, tmp_path: Path) -> None:
    base = tmp_path / "base"
    (base / "below").mkdir(parents=True)
    write_pdf(base / "below" / "a.pdf", [FIRST_PAGE])
    write_pdf(tmp_path / "private.pdf", [FIRST_PAGE])
    zotero.attachment(zotero.item("journalArticle", title="Linked"), "attachments:below/a.pdf")
    zotero.attachment(zotero.item("journalArticle", title="Outside"), "attachments:../private.pdf")
    linked, outside = read(zotero, base)
    assert isinstance(linked, LocatedEntry)
    assert linked.pdf == base / "below" / "a.pdf"
    assert isinstance(outside, LocatedEntry)
    assert outside.pdf is None


def test_zoteros_own_text_serves_for_a_pdf_that_cannot_be_read(zotero: MadeZotero, tmp_path: Path) -> None:
    _, folder = zotero.attachment(zotero.item("book", title="Scanned"), "storage:a.pdf")
    write_pdf(folder / "a.pdf", [[]])
    (folder / ".zotero-ft-cache").write_text("Text by *recognition*.\n\nSecond paragraph.")
    build_snapshot([zotero.folder], tmp_path / "out")
    (source,) = (tmp_path / "out" / "static" / "md").glob("*.md")
    assert source.read_text().strip() == "Text by \\*recognition\\*.\n\nSecond paragraph."


def test_it_is_read_while_zotero_has_it_locked(zotero: MadeZotero) -> None:
    zotero.item("book", title="The Shore")
    zotero.database.execute("PRAGMA locking_mode = EXCLUSIVE")
    zotero.database.execute("BEGIN EXCLUSIVE")
    assert [entry.title for entry in entries(zotero)] == ["The Shore"]


def test_a_change_that_zotero_has_not_finished_is_not_read(zotero: MadeZotero) -> None:
    zotero.item("book", title="The Shore")
    zotero.database.execute("PRAGMA cache_size = 1")
    zotero.database.execute("BEGIN")
    zotero.database.execute("UPDATE itemDataValues SET value = 'Half'")
    zotero.database.executemany("INSERT INTO tags VALUES (NULL, ?)", [("x" * 3000,)] * 200)  # more than is cached
    assert (zotero.folder / "zotero.sqlite-journal").stat().st_size
    assert [entry.title for entry in entries(zotero)] == ["The Shore"]


def test_a_view_in_the_place_of_a_table_is_refused(zotero: MadeZotero) -> None:
    zotero.database.executescript("""
        DROP TABLE deletedItems;
        CREATE VIEW deletedItems AS
        WITH RECURSIVE endless(itemID) AS (SELECT 1 UNION ALL SELECT itemID + 1 FROM endless) SELECT * FROM endless;
    """)
    zotero.item("book", title="The Shore")
    with pytest.raises(BuildError, match="views or virtual tables"):
        read(zotero)


def test_bytes_where_text_belongs_are_no_text(zotero: MadeZotero) -> None:
    item = zotero.item("book", title="The Shore", publisher="Press")
    zotero.database.execute("UPDATE itemDataValues SET value = x'ff00' WHERE value = 'Press'")
    zotero.database.execute("INSERT INTO tags VALUES (99, x'ff')")
    zotero.database.execute("INSERT INTO itemTags VALUES (?, 99, 0)", (item,))
    (entry,) = entries(zotero)
    assert (entry.title, entry.venue) == ("The Shore", "")


def test_a_folder_that_is_not_zoteros_is_said(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"has no zotero\.sqlite"):
        build_snapshot([], tmp_path / "out", BuildFolders(zotero=tmp_path))
    (tmp_path / "zotero.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(BuildError, match="cannot be read as a Zotero database"):
        build_snapshot([tmp_path], tmp_path / "out")


def test_of_a_known_library_only_the_items_that_changed_are_read(zotero: MadeZotero, tmp_path: Path) -> None:
    for number in range(5):
        zotero.item("journalArticle", title=f"On tides, part {number}", date="2001")
    library = tmp_path / "library"
    first = update_library(library, [zotero.folder])
    zotero.tag(2, "dredged")
    second = update_library(library, [zotero.folder])
    assert (first.read - first.known, second.read - second.known) == (5, 1)
    assert [(change.kind, change.title) for change in second.changes if change.kind != "unchanged"] == [
        ("changed", "On tides, part 1")
    ]
    assert "unchanged: 4" in second.describe()
