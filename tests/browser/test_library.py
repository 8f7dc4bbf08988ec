"""A person brings 15 PDFs and a bibliography, corrects two, merges two, takes that back and makes it again, edits."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from papers.snapshot import served
from papersite.accounts import owner
from tests.browser.conftest import OpenPage
from tests.browser.looks import looks_right
from tests.ingest.pdf.made_pdf import Text, paragraph, write_pdf

PDFS = 15
WORDS = "Rivers carry sand to the sea, where the tide sorts it by the size of its grains. " * 6
NUMBERS = ("Rivers", "Lakes", "Seas", "Deltas", "Dunes", "Reefs", "Glaciers", "Springs", "Marshes", "Canals", "Fjords",
           "Lagoons", "Rapids", "Geysers", "Wetlands")  # fmt: skip
BIB = """@article{weights, title={On the weight of cats}, author={Ames, Ada}, year={1999}, doi={10.5555/cats}}
@article{mass, title={On the weight of cats}, author={Ames, Ada}, year={2004}, doi={10.5555/cats.again}}
"""
SECONDS = 120_000


@pytest.fixture
def demo_is_served(tmp_path: Path, settings: Settings, served_library: None) -> Iterator[Path]:
    """The test's library in the place of the demo, and none of one's own yet."""
    settings.DEMO_SNAPSHOT, settings.DATA = settings.SNAPSHOT, tmp_path / "data"
    settings.OWN_SNAPSHOT = settings.DATA / "library" / "paper_snapshot.db"
    settings.LIBRARY_CHANGES = "local"
    settings.DATA.mkdir()
    yield tmp_path
    served.renew()


def made_files(folder: Path) -> list[Path]:
    paths = []
    for number, title in enumerate(NUMBERS[:PDFS]):
        first = [Text(f"A survey of {title}", size=18), Text("Ada Fluvius", top=100), *paragraph(WORDS, 72, 140, 80)]
        paths.append(write_pdf(folder / f"scan{number:02}.pdf", [first]))
    (bib := folder / "cats.bib").write_text(BIB)
    return [*paths, bib]


def operate(page: Page, name: str) -> None:
    page.get_by_role("status").get_by_role("button", name=name).click()


@pytest.mark.usefixtures("demo_is_served")
def test_the_whole_way_from_files_to_a_library_that_was_put_right(
    open_page: OpenPage, settings: Settings, tmp_path: Path
) -> None:
    page = open_page(f"/enter/?key={owner.new_key(settings.DATA)}")
    page.goto("/library/add/")
    expect(page.get_by_text("This is the demo")).to_be_visible()
    page.set_input_files("#files", made_files(tmp_path))
    page.get_by_role("button", name="Read and compare").click()
    expect(page.get_by_text("17 entries read")).to_be_visible(timeout=SECONDS)
    # Of 17 papers a person should look at the two that share a title.
    assert page.get_by_text("Doubtful:").count() <= 2
    looks_right(page)
    _correct_in_place(page, "A survey of Rivers", "A survey of great rivers")
    page.get_by_label("Take in A survey of Wetlands").uncheck()
    page.get_by_role("button", name="Add to the library").click()
    expect(page.get_by_text("The library is up to date")).to_be_visible(timeout=SECONDS)
    looks_right(page)
    page.get_by_role("link", name="See your papers").click()
    expect(page.get_by_role("link", name="A survey of great rivers").first).to_be_visible()
    expect(page.get_by_text("A survey of Wetlands")).to_have_count(0)

    page.get_by_role("link", name="A survey of Lakes").first.click()
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("Title").fill("A survey of alpine lakes")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="A survey of alpine lakes")).to_be_visible(timeout=SECONDS)

    page.goto("/library/duplicates/")
    looks_right(page)
    page.get_by_role("button", name="The same", exact=True).click()
    expect(page.get_by_role("status").get_by_text("Merged: On the weight of cats")).to_be_visible(timeout=SECONDS)
    expect(page.get_by_text("There are none.")).to_be_visible()
    operate(page, "Undo")
    page.goto("/library/duplicates/")
    expect(page.get_by_role("button", name="Not the same")).to_be_visible()
    page.goto("/library/add/")
    page.get_by_role("button", name="Redo").first.click()
    page.goto("/papers/?q=weight+of+cats")
    expect(page.get_by_role("link", name="On the weight of cats")).to_have_count(1)
    page.goto("/papers/?q=alpine+lakes")
    expect(page.get_by_role("link", name="A survey of alpine lakes").first).to_be_visible()
    page.goto("/library/incomplete/?missing=year")
    expect(page.get_by_role("link", name="Edit A survey of alpine lakes")).to_be_visible()
    looks_right(page)


def _correct_in_place(page: Page, title: str, corrected: str) -> None:
    row = page.locator(".changes > li").filter(has_text=title)
    row.locator("summary").click()
    expect(row.get_by_role("img")).to_be_visible()
    row.get_by_label("Title").fill(corrected)
