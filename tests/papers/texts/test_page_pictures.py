"""Pages of PDFs as pictures."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client
from pytest_django import Settings

from ingest.build import build_snapshot
from papercore.errors import ToolError
from papercore.passages import cut
from papercore.resource import ResourceBytes
from papers.resources import PaperResources
from papers.snapshot import served
from papers.snapshot.models import Paper
from papers.texts.named import source_of
from tests.ingest.pdf.made_pdf import write_pdf
from tests.ingest.pdf.test_description import FIRST_PAGE


@pytest.fixture
def paper_id(tmp_path: Path, settings: Settings) -> Iterator[str]:
    (tmp_path / "pdfs").mkdir()
    write_pdf(tmp_path / "pdfs" / "one.pdf", [FIRST_PAGE, FIRST_PAGE])
    build_snapshot([tmp_path / "pdfs"], tmp_path / "out")
    settings.SNAPSHOT = tmp_path / "out" / "paper_snapshot.db"
    settings.ASSETS = str(tmp_path / "out" / "static")
    served.renew()
    yield str(Paper.objects.get().pk)
    connections["snapshot"].close()


def test_a_page_is_a_picture_and_one_that_is_not_there_says_how_many_are(paper_id: str) -> None:
    found = PaperResources().read(f"paper://{paper_id}/page/2")
    assert isinstance(found, ResourceBytes)
    assert found.mime_type == "image/png"
    assert found.data.startswith(b"\x89PNG")
    width, height, bits, colours = struct.unpack(">IIBB", found.data[16:26])
    assert (height, bits, colours) == (1568, 8, 0)
    assert width < height
    with pytest.raises(ToolError, match="the PDF has 2 pages") as error:
        PaperResources().read(f"paper://{paper_id}/page/3")
    assert error.value.code == "page_not_available"


@pytest.mark.parametrize("part", ["0", "-1", "x", "1/2", "999999"])
def test_a_page_needs_a_number(paper_id: str, part: str) -> None:
    with pytest.raises(ToolError) as error:
        PaperResources().read(f"paper://{paper_id}/page/{part}")
    assert error.value.code == "resource_not_found"


def test_a_passage_and_the_marks_of_pages_open_the_pdf_at_their_page(paper_id: str, client: Client) -> None:
    last = cut(source_of(Paper.objects.get())).passages[-1]
    page = client.get(f"/papers/{paper_id}/source/?passage={last.number}").content.decode()
    assert f'<a href="/papers/{paper_id}/pdf/?page=2">p. 2</a>' in page
    beside = f"/papers/{paper_id}/pdf/?page=2&amp;passage={last.number}#p-"
    assert beside in page
    both = client.get(f"/papers/{paper_id}/pdf/?page=2&passage={last.number}").content.decode()
    assert 'data-opened="p-' in both
    assert f'<a href="/papers/{paper_id}/paper.pdf#page=2" target="pdf">p. 2</a>' in both
    shown = client.get(f"/papers/{paper_id}/pdf/?page=2").content.decode()
    assert f'src="/papers/{paper_id}/paper.pdf#page=2"' in shown
    other = client.get(f"/papers/{paper_id}/pdf/?page=2x").content.decode()
    assert f'src="/papers/{paper_id}/paper.pdf"' in other
