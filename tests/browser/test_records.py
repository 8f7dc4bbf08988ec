"""A person corrects a paper on its page, finds it by what was corrected, and takes it back."""

import pytest
from playwright.sync_api import expect
from pytest_django import Settings

from papersite.accounts import owner
from tests.browser.conftest import OpenPage
from tests.browser.looks import looks_right
from tests.browser.test_additions import small_library  # noqa: F401 - a fixture


@pytest.mark.usefixtures("small_library")
def test_a_paper_is_corrected_found_taken_back_and_removed(open_page: OpenPage, settings: Settings) -> None:
    settings.DATA.mkdir()
    page = open_page(f"/enter/?key={owner.new_key(settings.DATA)}")
    page.goto("/papers/")
    page.get_by_role("link", name="Long Short-Term Memory").first.click()
    page.get_by_role("heading", name="Long Short-Term Memory").wait_for()
    page.keyboard.press("e")
    page.get_by_label("Title").wait_for()
    looks_right(page)
    page.get_by_label("Title").fill("Zebrafish remember")
    page.get_by_label("DOI").fill("10.5555/zebra")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Zebrafish remember")).to_be_visible(timeout=60_000)
    looks_right(page)
    page.goto("/papers/?q=zebrafish")
    expect(page.get_by_role("link", name="Zebrafish remember").first).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="History", exact=True).click()
    expect(page.get_by_text("says: Long Short-Term Memory")).to_be_visible()
    looks_right(page)
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("heading", name="Long Short-Term Memory")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("heading", name="Zebrafish remember")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_role("link", name="Remove", exact=True).click()
    looks_right(page)
    page.get_by_role("button", name="Remove this paper").click()
    expect(page.get_by_role("status").get_by_text("Zebrafish remember")).to_be_visible(timeout=60_000)
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Zebrafish remember")).to_be_visible(timeout=60_000)
