"""What is new: by when it was added where the library knows, else by year of publication."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client
from pytest_django import Settings

from ingest import update_library
from papers.snapshot import served
from tests.ingest.library import ATTENTION, LSTM, write_lines

ATOM = "{http://www.w3.org/2005/Atom}"
OLD = {**LSTM, "title": "On memory before computers", "doi": "10.5555/old", "year": 1951}


@pytest.fixture
def kept(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """Founded with two papers; an older one was added later."""
    update_library(tmp_path / "library", [write_lines(tmp_path / "first.jsonl", LSTM, ATTENTION)])
    update_library(tmp_path / "library", [write_lines(tmp_path / "second.jsonl", OLD)])
    settings.SNAPSHOT = tmp_path / "library" / "paper_snapshot.db"
    settings.ASSETS = str(tmp_path / "library" / "static")
    served.renew()
    yield tmp_path / "library"
    connections["snapshot"].close()


def feed(address: str) -> tuple[list[str | None], list[str | None]]:
    entries = list(ET.fromstring(Client().get(address).content).iter(f"{ATOM}entry"))
    return [entry.findtext(f"{ATOM}title") for entry in entries], [
        entry.findtext(f"{ATOM}published") for entry in entries
    ]


def test_the_home_page_has_what_was_added_last_first_with_the_date(kept: Path) -> None:
    page = Client().get("/").content.decode()
    assert "Added last" in page
    assert page.index("On memory before computers</bdi>") < page.index("Attention Is All You Need</bdi>")
    assert 'added <time datetime="20' in page


@pytest.mark.parametrize("address", ["/papers.atom", "/papers.atom?q=memory", "/papers.atom?author=Sepp+Hochreiter"])
def test_a_feed_begins_with_what_was_added_last(kept: Path, address: str) -> None:
    titles, added = feed(address)
    assert titles[0] == "On memory before computers"
    assert "Long Short-Term Memory" in titles
    assert added[0]
    assert ("Attention Is All You Need" in titles) == (address == "/papers.atom")


def test_a_list_is_sorted_by_the_year_of_publication(kept: Path) -> None:
    page = Client().get("/papers/?sort=newest").content.decode()
    assert "newest year first" in page
    assert page.index("Attention Is All You Need</bdi>") < page.index("On memory before computers</bdi>")
    assert feed("/papers.atom?sort=newest")[0][0] == "Attention Is All You Need"


def test_a_library_that_does_not_know_says_year_of_publication() -> None:
    page = Client().get("/").content.decode()
    assert "Newest papers, by year of publication" in page
    assert "Added last" not in page
    assert feed("/papers.atom")[1] == [None] * len(feed("/papers.atom")[0])
