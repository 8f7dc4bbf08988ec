"""A library in which every field attacks the reader: nothing runs, nothing leaves, the layout stands."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from django.db import connections
from pytest_django import Settings

from papercore.snapshot.file import facet_key
from papers.snapshot import served
from tests.browser import library
from tests.browser.conftest import PHONE, OpenPage

VALUE = quote(facet_key(library.HOSTILE), safe="")
PAGES = [
    "/",
    "/papers/",
    f"/papers/?q={quote(library.HOSTILE)}&keyword={VALUE}",
    f"/papers/?q=x&list={VALUE}",
    "/papers/bad-0/",
    "/papers/bad-0/?cite",
    "/papers/bad-0/source/",
    "/papers/bad-0/translation/de/",
    "/papers/bad-0/bibtex/",
    "/papers/bad-0/side-by-side/",
    "/by/keyword/",
    f"/by/author/{VALUE}0/",
    "/stats/",
]


@pytest.fixture(scope="module")
def hostile_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library.build_hostile(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(autouse=True)
def hostile(served_library: None, hostile_library: Path, settings: Settings) -> Iterator[None]:
    settings.SNAPSHOT, settings.ASSETS = hostile_library, str(hostile_library.parent / "static")
    served.renew()
    yield
    connections["snapshot"].close()


@pytest.mark.parametrize("path", PAGES)
def test_nothing_runs_and_the_layout_stands(open_page: OpenPage, path: str) -> None:
    page = open_page(path, viewport=PHONE)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("getComputedStyle(document.body).display") == "flex"
    assert page.get_by_role("heading", level=1).is_visible()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    for frame in page.frames:
        assert frame.evaluate("window.hacked") is None
