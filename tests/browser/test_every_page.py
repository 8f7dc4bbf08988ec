"""What holds on every page: accessible in both themes, no sideways scroll, nothing from elsewhere."""

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.looks import looks_right

PAGES = [
    "/",
    "/papers/",
    "/papers/?q=networks&keyword=topic+1&year_from=1995",
    "/papers/?q=nothingatall&venue=neurips",
    "/papers/123/",
    "/papers/123/?cite",
    "/papers/123/source/",
    "/papers/123/source/?find=heads+attend&hit=1",
    "/papers/123/translation/zh/",
    "/papers/123/bibtex/",
    "/papers/123/cite/",
    "/papers/123/references/",
    "/papers/123/pdf/",
    "/papers/123/side-by-side/",
    "/papers/undated/",
    "/ask/?q=what+are+networks",
    "/check/",
    "/by/keyword/",
    "/by/author/ada%20lovelace/",
    "/stats/",
    "/basket/",
    "/connect/",
    "/api/docs",
    "/sign-in/",
]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_accessible_in_both_themes_and_fits_every_screen(open_page: OpenPage, path: str) -> None:
    looks_right(open_page(path))
