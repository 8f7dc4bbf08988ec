"""Scans are read by OCR: what is read, that it is marked, kept, and gone on with."""

from contextlib import closing
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pytest
from msgspec.structs import replace

from ingest import BuildError, ChangeSettings, update_library
from ingest.ledger.readings import StoredReadings
from ingest.pdf.recognition import recognised_page
from ingest.recognising import NEEDED, recognise
from papercore.snapshot.assets import OCR_MARK
from papersite.command.commands import call_command
from tests.ingest.pdf.made_pdf import Text, write_pdf, write_scan
from tests.ingest.pdf.test_build import papers, text_of_only_source
from tests.ingest.pdf.test_description import FIRST_PAGE

SECOND_PAGE = [Text("The delta grows by a hand every year.", 72, 100, 12)]
HAS_OCR = find_spec("rapidocr") is not None
with_ocr = pytest.mark.skipif(not HAS_OCR, reason="needs the extra ocr")


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    return write_scan(tmp_path / "x7.pdf", write_pdf(tmp_path / "made.pdf", [FIRST_PAGE, SECOND_PAGE]))


@pytest.fixture
def library(tmp_path: Path, scan: Path) -> Path:
    report = update_library(tmp_path / "library", [scan])
    assert "papersite ocr" in report.problems[0].message
    assert papers(tmp_path / "library") == [("X7", "unknown")]
    return tmp_path / "library"


@with_ocr
def test_a_scan_becomes_a_paper_whose_text_is_marked_and_stays_when_it_is_added_again(
    library: Path, scan: Path
) -> None:
    (read,) = recognise(library, ChangeSettings())
    assert (read.path, read.pages, read.problem) == (scan, 2, "")
    assert papers(library) == [("How Rivers Build Land at the Edge of the Sea", "2019")]
    text = text_of_only_source(library)
    assert text.startswith(f"{OCR_MARK}\n\n<!-- page 1 -->")
    assert "Rivers carry sand to the sea." in text
    assert "<!-- page 2 -->\n\nThe delta grows by a hand every year." in text
    assert list(recognise(library, ChangeSettings())) == []
    with closing(StoredReadings(library)) as readings:
        readings.forget(scan)
    update_library(library, [scan])
    assert text_of_only_source(library) == text


@with_ocr
def test_a_page_that_was_read_is_not_read_again(library: Path, scan: Path) -> None:
    with closing(StoredReadings(library)) as readings:
        first = recognised_page(str(scan), 1)
        first.lines[-1] = replace(first.lines[-1], text="This was read before.")
        readings.keep_recognised(scan, first, 2)
        assert readings.recognised(scan) == []
    assert len(list(recognise(library, ChangeSettings()))) == 1
    assert "This was read before." in text_of_only_source(library)


@with_ocr
def test_only_one_reads_at_a_time(library: Path) -> None:
    at_work = recognise(library, ChangeSettings())
    assert next(at_work).pages == 2
    with pytest.raises(BuildError, match="already"):
        next(recognise(library, ChangeSettings()))


@pytest.mark.skipif(HAS_OCR, reason="the extra ocr is here")
def test_without_the_extra_it_says_what_to_install(library: Path) -> None:
    with pytest.raises(BuildError) as error:
        list(recognise(library, ChangeSettings()))
    assert str(error.value) == NEEDED


@with_ocr
def test_the_command_says_what_it_read(library: Path, scan: Path) -> None:
    said = StringIO()
    call_command("ocr", "--library", str(library), stdout=said, stderr=StringIO())
    assert said.getvalue() == f"{scan}: 2 pages read by OCR\n"
    again = StringIO()
    call_command("ocr", "--library", str(library), stdout=again, stderr=StringIO())
    assert again.getvalue() == "No PDF was left to read by OCR.\n"
