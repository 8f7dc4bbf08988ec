"""A person drops files on the page, sees what they would change, adds them, finds the paper, and undoes it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pytest_django import Settings

from ingest import build_snapshot
from papers.snapshot import served
from papersite.accounts import owner
from tests.browser.conftest import OpenPage
from tests.browser.looks import looks_right
from tests.ingest.library import LSTM, write_lines
from tests.ingest.pdf.made_pdf import write_large_pdf

BIB = "@article{cats, title={On the weight of cats}, author={Ames, Ada}, year={1999}, doi={10.5555/cats}}"
DROP = """([box, text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], "cats.bib", {type: "text/plain"}));
  box.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}));
}"""


@pytest.fixture
def small_library(tmp_path: Path, settings: Settings, served_library: None) -> Iterator[Path]:
    build_snapshot([write_lines(tmp_path / "papers.jsonl", LSTM)], tmp_path / "library")
    settings.SNAPSHOT = tmp_path / "library" / "paper_snapshot.db"
    settings.ASSETS, settings.DATA = str(tmp_path / "library" / "static"), tmp_path / "data"
    settings.LIBRARY_CHANGES = "local"
    served.renew()
    yield tmp_path / "library"
    served.renew()


@pytest.mark.usefixtures("small_library")
def test_files_are_dropped_shown_added_and_undone(open_page: OpenPage, settings: Settings, tmp_path: Path) -> None:
    settings.DATA.mkdir()
    page = open_page(f"/enter/?key={owner.new_key(settings.DATA)}")
    page.get_by_role("link", name="Add papers").first.click()
    looks_right(page)
    box = page.locator("[data-drop]").element_handle()
    page.evaluate(DROP, [box, BIB])
    page.get_by_role("button", name="Read and compare").click()
    expect(page.get_by_text("1 entry read")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("On the weight of cats")).to_be_visible()
    page.get_by_role("button", name="Add to the library").click()
    expect(page.get_by_text("The library is up to date")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="On the weight of cats").click()
    expect(page.get_by_role("heading", name="On the weight of cats")).to_be_visible()
    page.goto("/library/add/")
    page.locator("input[type=file]").set_input_files(write_large_pdf(tmp_path / "large.pdf", "On the weight of dogs"))
    page.get_by_role("button", name="Read and compare").click()
    expect(page.get_by_text("On the weight of dogs").first).to_be_visible(timeout=60_000)
    page.goto("/library/add/")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Add cats.bib by the owner · 1 paper · taken back")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="Redo")).to_be_visible()
