"""What a library without an index offers: words alone, and no promise of more."""

from pathlib import Path

import pytest
from django.test import Client

from papers.search.tools import search_papers
from papers.snapshot import served
from tests import snapshot as sample
from tests.snapshot import SamplePaper


def test_without_an_index_filler_words_find_nothing_of_their_own(own_library: Path) -> None:
    library = [
        SamplePaper(f"p{i}", f"Soup for one {i}", [], summaries={"simple": "All for the soup."}) for i in range(20)
    ]
    library += [SamplePaper("a", "Attention", []), SamplePaper("i", "Images", [])]
    sample.build(own_library.parent, library)
    served.renew()
    assert served.current_index() is None
    assert search_papers("attention for images").total == search_papers("attention images").total == 2
    assert search_papers("attention for images", venue="journal of tests").total == 2
    assert search_papers("for the").total == 20


@pytest.mark.parametrize("page", ["/", "/papers/", "/papers/123/", "/stats/"])
def test_without_an_index_no_page_promises_meaning_or_shows_a_command(client: Client, page: str) -> None:
    assert served.current_index() is None
    text = client.get(page).content.decode()
    assert "meaning" not in text
    assert "build-index" not in text


def test_an_empty_library_shows_its_readers_no_command(client: Client, own_library: Path) -> None:
    sample.build(own_library.parent, [])
    served.renew()
    text = client.get("/").content.decode()
    assert "The library is empty" in text
    assert "build-index" not in text
