"""The passage that a link to a text names."""

import re
from pathlib import Path

import pytest
from django.test import Client

from papercore.retrieval import NO_FILTERS
from papers.search.passages import find_passages
from tests.snapshot import SamplePaper, build

SOURCE = "# Owls\n\nOwls sleep by day. Owls hunt at night. They hear *very* well. Nobody knows more. Mice do.\n"


@pytest.fixture(autouse=True)
def owls(own_library: Path) -> None:
    build(own_library.parent, [SamplePaper("p1", "Owls", ["Ada Ames"], source=SOURCE)])


def opened(client: Client, address: str) -> tuple[str, str] | None:
    """The anchor and the words of what the page marks."""
    page = client.get(address.partition("#")[0]).content.decode()
    found = re.search(r'data-opened="([^"]*)">([^<]*)<', page)
    return (found[1], found[2]) if found else None


def test_a_page_knows_the_words_of_the_passage_that_its_link_names(client: Client) -> None:
    link = find_passages("owls hear", NO_FILTERS, ("p1",), 1)[0].located.link
    assert opened(client, link) == ("p-1", "They hear very well. Nobody knows more. Mice do.")


def test_a_passage_that_moved_is_found_by_its_check(client: Client, own_library: Path) -> None:
    link = find_passages("owls hear", NO_FILTERS, ("p1",), 1)[0].located.link
    moved = SOURCE.replace("# Owls\n", "# Owls\n\nA new beginning.\n")
    build(own_library.parent, [SamplePaper("p1", "Owls", ["Ada Ames"], source=moved)])
    assert opened(client, link) == ("p-2", "They hear very well. Nobody knows more. Mice do.")


@pytest.mark.parametrize("named", ["9-000000", "1-abcdef", "nonsense", "../../etc", "1" * 50, "<script>"])
def test_a_passage_that_the_text_does_not_have_is_said(client: Client, named: str) -> None:
    response = client.get("/papers/p1/source/", {"passage": named})
    assert response.status_code == 200
    assert "no longer has the passage" in response.content.decode()
    assert "<script>" not in response.content.decode().partition("<main")[2]


def test_a_page_without_a_passage_marks_nothing(client: Client) -> None:
    for given in ({}, {"passage": ""}, {"passage": "1" * 1000}):
        page = client.get("/papers/p1/source/", given).content.decode()
        assert "data-opened" not in page
        assert "no longer has the passage" not in page


def test_a_place_that_was_found_is_marked(client: Client) -> None:
    assert opened(client, "/papers/p1/source/?find=night&hit=1") == (
        "p-1",
        "Owls sleep by day. Owls hunt at night.",
    )
