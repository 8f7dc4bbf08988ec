"""What holds on every page: accessible in both themes, no sideways scroll, nothing from elsewhere."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser import library
from tests.browser.conftest import PHONE, OpenPage

PAGES = [
    "/",
    "/papers/",
    "/papers/?q=networks&keyword=topic+1&year_from=1995",
    "/papers/?q=nothingatall&venue=neurips",
    "/papers/123/",
    "/papers/123/?cite",
    "/papers/123/source/",
    "/papers/123/translation/zh/",
    "/papers/123/bibtex/",
    "/papers/123/pdf/",
    "/papers/123/side-by-side/",
    "/papers/undated/",
    "/by/keyword/",
    "/by/author/ada%20lovelace/",
    "/stats/",
    "/basket/",
    "/connect/",
    "/api/docs",
]
CONTRAST: dict[str, object] = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


def violations(page: Page, options: dict[str, object] | None = None) -> str:
    found = Axe().run(page, options=options).response["violations"]
    return library.described(found) if found else ""


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_accessible_in_both_themes_and_fits_every_screen(open_page: OpenPage, path: str) -> None:
    page = open_page(path, color_scheme="light", reduced_motion="reduce")
    assert violations(page) == ""
    for viewport in (PHONE, {"width": 800, "height": 900}):
        page.set_viewport_size(viewport)  # type: ignore[arg-type]  # a plain dict of the right keys
        assert too_wide(page) <= 0, viewport
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.reload()
    assert violations(page, CONTRAST) == ""


def too_wide(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
