"""Finding in one paper, on the page of its text."""

import re
from pathlib import Path

import pytest
from django.test import Client

from tests.snapshot import SamplePaper, build

SOURCE = """\
# Animals

## Cats

Cats weigh four kilos.

### Old cats

Old cats weigh five kilos.

## Dogs

Dogs bark. Nobody measured them.
"""


@pytest.fixture(autouse=True)
def animals(own_library: Path) -> None:
    paper = SamplePaper("p1", "Animals", ["Ada Ames"], source=SOURCE, summaries={"simple": "Cats and dogs, weighed."})
    build(own_library.parent, [paper])


def page(client: Client, **given: str) -> str:
    response = client.get("/papers/p1/source/", given)
    assert response.status_code == 200
    return response.content.decode()


def test_places_open_at_their_anchor(client: Client) -> None:
    found = page(client, find="how many kilos do cats weigh")
    links = re.findall(r'href="(/papers/p1/source/\?find=[^"]+hit=\d+#p-\d+)"', found)
    assert [link.rpartition("#")[2] for link in dict.fromkeys(links)][:2] == ["p-1", "p-2"]
    for link in links:
        assert f'id="{link.rpartition("#")[2]}"' in found
    assert "2 passages in this text" in found


def test_the_words_as_they_were_typed_come_first(client: Client) -> None:
    found = page(client, find="cats weigh five kilos")
    assert re.findall(r'href="[^"]+hit=1#(p-\d+)"', found)[0] == "p-2"
    assert "2 passages in this text, best first" in " ".join(found.split())


def test_next_and_previous_step_through_them(client: Client) -> None:
    first, second = page(client, find="cats weigh", hit="1"), page(client, find="cats weigh", hit="2")
    assert re.search(r'rel="next" href="[^"]+hit=2#p-2"', first)
    assert 'rel="prev"' not in first
    assert re.search(r'rel="prev" href="[^"]+hit=1#p-1"', second)
    assert "1 of" in first


def test_the_outline_counts_places_with_those_of_the_sections_below(client: Client) -> None:
    found = page(client, find="cats weigh")
    counts = re.findall(r"<bdi>([^<]+)</bdi>\s*<span class=\"num\">\((\d+)", found)
    assert counts == [("Animals", "2"), ("Cats", "2")]


def test_other_texts_that_have_it_are_named(client: Client) -> None:
    assert re.search(r'href="/papers/p1/summary/simple/\?find=cats">1 passage', page(client, find="cats"))


@pytest.mark.parametrize("words", ["zyzzyva quokka", "<script>alert(1)</script>"])
def test_what_is_nowhere_is_said(client: Client, words: str) -> None:
    found = page(client, find=words)
    assert "0 passages in this text" in found
    assert "<script>alert" not in found


@pytest.mark.parametrize("hit", ["0", "99", "x", "-1", "9" * 5000, "٣"])
def test_a_hit_that_makes_no_sense_is_no_error(client: Client, hit: str) -> None:
    assert "passages in this text" in page(client, find="cats weigh", hit=hit)


def test_too_many_words_are_refused(client: Client) -> None:
    assert client.get("/papers/p1/source/", {"find": "a" * 501}).status_code == 400
