"""A library built from PDFs, alone and beside a bibliography."""

import json
import sqlite3
from pathlib import Path

import pytest

from ingest import BuildError, BuildFolders, build_snapshot
from ingest.pdf.readers import PdfReaders, PdfText, UnreadablePdf
from papercore import limits
from tests.ingest.pdf.made_pdf import Text, paragraph, write_pdf
from tests.ingest.pdf.test_description import FIRST_PAGE


def papers(out: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(out / "paper_snapshot.db") as database:
        return list(database.execute("SELECT title, year FROM paper ORDER BY title"))


def text_of_only_source(out: Path) -> str:
    (source,) = (out / "static" / "md").glob("*.md")
    return source.read_text()


@pytest.fixture
def pdfs(tmp_path: Path) -> Path:
    folder = tmp_path / "pdfs"
    folder.mkdir()
    return folder


def test_a_folder_of_pdfs_is_a_library(pdfs: Path, tmp_path: Path) -> None:
    write_pdf(pdfs / "one.pdf", [FIRST_PAGE])
    (pdfs / "broken.pdf").write_bytes(b"no pdf")
    report = build_snapshot([pdfs], tmp_path / "out")
    assert papers(tmp_path / "out") == [("How Rivers Build Land at the Edge of the Sea", "2019")]
    assert "Rivers carry sand to the sea." in text_of_only_source(tmp_path / "out")
    assert [problem.message for problem in report.problems] == ["its text cannot be read: it is damaged, or no PDF"]


def test_a_pdf_joins_the_entry_with_its_title(pdfs: Path, tmp_path: Path) -> None:
    write_pdf(pdfs / "download(3).pdf", [FIRST_PAGE])
    bibliography = tmp_path / "a.jsonl"
    entry = {"title": "How rivers build land at the edge of the sea", "authors": ["Ana Shore"], "year": "2018"}
    bibliography.write_text(json.dumps(entry))
    report = build_snapshot([bibliography], tmp_path / "out", BuildFolders(pdf=pdfs))
    assert papers(tmp_path / "out") == [("How rivers build land at the edge of the sea", "2018")]
    assert "Rivers carry sand to the sea." in text_of_only_source(tmp_path / "out")
    assert len(list((tmp_path / "out" / "static" / "pdf").glob("*.pdf"))) == 1
    assert report.problems == []


def test_a_pdf_named_after_an_entry_belongs_to_it_whatever_its_first_page_says(pdfs: Path, tmp_path: Path) -> None:
    write_pdf(pdfs / "shore2018.pdf", [FIRST_PAGE])
    bibliography = tmp_path / "a.bib"
    bibliography.write_text("@article{shore2018, title={Sand}, author={Shore, Ana}, year={2018}}")
    build_snapshot([bibliography], tmp_path / "out", BuildFolders(pdf=pdfs))
    assert papers(tmp_path / "out") == [("Sand", "2018")]


def test_the_markdown_that_a_person_gave_wins_over_the_pdfs_text(pdfs: Path, tmp_path: Path) -> None:
    write_pdf(pdfs / "one.pdf", [FIRST_PAGE])
    (tmp_path / "md").mkdir()
    (tmp_path / "md" / "one.md").write_text("# Mine\n\nBy hand.")
    build_snapshot([pdfs], tmp_path / "out", BuildFolders(markdown=tmp_path / "md"))
    assert text_of_only_source(tmp_path / "out").startswith("# Mine")


def test_a_scan_is_kept_as_a_file_and_reported(pdfs: Path, tmp_path: Path) -> None:
    write_pdf(pdfs / "old scan.pdf", [[]])
    report = build_snapshot([pdfs], tmp_path / "out")
    assert papers(tmp_path / "out") == [("Old scan", "unknown")]
    (problem,) = report.problems
    assert problem.message.startswith("it has no text (a scan); kept as a file, not searched; papersite ocr")


def test_text_that_cannot_be_decoded_is_reported_and_not_searched(pdfs: Path, tmp_path: Path) -> None:
    cipher = "Kf pugtwxq jhqk rtd fgd zpvkq hjkld wqzxr tpqv mnbvc xzlkj hgfds qwrtp. " * 12
    write_pdf(pdfs / "rivers of the north.pdf", [[Text("Xkzq Rtpw Vbnm", 72, 80, 20), *paragraph(cipher, 72, 120, 80)]])
    report = build_snapshot([pdfs], tmp_path / "out")
    assert papers(tmp_path / "out") == [("Rivers of the north", "unknown")]
    (problem,) = report.problems
    assert problem.message.startswith("its text cannot be decoded")


def test_two_pdfs_of_one_paper_are_one_paper(pdfs: Path, tmp_path: Path) -> None:
    for name in ("one.pdf", "copy.pdf"):
        write_pdf(pdfs / name, [FIRST_PAGE])
    report = build_snapshot([pdfs], tmp_path / "out")
    assert len(papers(tmp_path / "out")) == 1
    assert [problem.message for problem in report.problems] == ["another PDF of the same paper is used"]


def test_nothing_readable_builds_nothing(pdfs: Path, tmp_path: Path) -> None:
    (pdfs / "a.pdf").write_bytes(b"no pdf")
    with pytest.raises(BuildError, match="no paper found"):
        build_snapshot([pdfs], tmp_path / "out")
    with pytest.raises(BuildError, match="Nothing to build from"):
        build_snapshot([], tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BuildError, match="has no PDF in it"):
        build_snapshot([tmp_path / "empty"], tmp_path / "out")


def test_of_an_enormous_pdf_the_first_pages_are_read(pdfs: Path) -> None:
    page = paragraph("Sand moves. " * 3, 72, 100, 80)
    huge = write_pdf(pdfs / "a.pdf", [page] * (limits.PDF_PAGES + 5))
    small = write_pdf(pdfs / "b.pdf", [[Text("A page of words to read", 72, 100)]])
    readers = PdfReaders([pdfs], 1)
    try:
        found = dict(readers.read_all([huge, small]))
    finally:
        readers.close()
    cut = found[huge]
    assert isinstance(cut, PdfText)
    assert f"page {limits.PDF_PAGES} -->" in cut.markdown
    assert f"page {limits.PDF_PAGES + 1} -->" not in cut.markdown
    assert not isinstance(found[small], UnreadablePdf)
