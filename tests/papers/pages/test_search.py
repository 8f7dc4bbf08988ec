"""The search page: filters that widen and narrow, marked words, and what it says about odd queries."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from tests import snapshot as sample
from tests.snapshot import SamplePaper


def text(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, url
    return unescape(response.content.decode())


def options(page: str, facet: str) -> dict[str, str]:
    """The values of a facet on a page, with what stands beside each."""
    group = re.search(rf'id="by-{facet}".*?</details>\s*(?=<details class="facet"|</nav>)', page, re.DOTALL)
    found = re.findall(r'<bdi>([^<]*)</bdi>(.*?)</span>\s*<span class="count">([^<]*)', group[0] if group else "")
    return {label: f"{'on ' if selected else ''}{number}" for label, selected, number in found}


def test_a_chosen_value_leaves_the_others_of_its_facet_to_choose_from(client: Client) -> None:
    page = text(client, "/papers/?venue=neurips")
    assert options(page, "venue")["NeurIPS"] == "on 1"
    assert options(page, "venue")["NAACL"] == "1"
    assert 'href="/papers/?venue=neurips&venue=naacl#' in page


def test_several_values_of_a_facet_widen_and_the_page_says_or(client: Client) -> None:
    page = text(client, "/papers/?venue=neurips&venue=naacl")
    assert re.search(r'<span class="num">2</span>\s*papers', page)
    assert re.search(r"neurips.*?<span[^>]*>or</span>.*?naacl", page, re.DOTALL | re.IGNORECASE)
    assert options(page, "venue")["NeurIPS"] == options(page, "venue")["NAACL"] == "on 1"


def test_a_value_in_the_address_is_ticked_however_it_is_written(client: Client) -> None:
    assert options(text(client, "/papers/?keyword=Self-Attention"), "keyword")["self-attention"] == "on 1"


def test_a_part_of_a_name_in_the_address_is_ticked_too(client: Client) -> None:
    assert options(text(client, "/papers/?author=shazeer"), "author")["shazeer"] == "on 2"


def test_a_name_given_in_two_spellings_is_one_filter(client: Client) -> None:
    page = text(client, "/papers/?author=shazeer&author=Shazeer")
    assert [number for name, number in options(page, "author").items() if name.lower() == "shazeer"] == ["on 2"]


def test_a_chosen_value_does_not_move(client: Client) -> None:
    before, after = (options(text(client, url), "keyword") for url in ("/papers/", "/papers/?keyword=pre-training"))
    assert list(before) == list(after)


def test_each_filter_leads_back_to_itself_on_the_next_page(client: Client) -> None:
    page = text(client, "/papers/?venue=neurips")
    found = re.search(r'<a id="(f-[0-9a-f]+)" href="([^"]*)#\1"[^>]*>\s*<span><bdi>NAACL', page)
    assert found is not None
    assert f'id="{found[1]}"' in text(client, found[2])


def test_an_empty_list_offers_to_drop_a_whole_facet(client: Client) -> None:
    page = text(client, "/papers/?q=transformer&tag=classic&tag=none")
    assert "Without tag: classic or none (2)" in page


def test_a_year_range_upside_down_is_turned_and_said(client: Client) -> None:
    page = text(client, "/papers/?year_from=2018&year_to=1990")
    assert re.search(r'<span class="num">2</span>\s*papers', page)
    assert "From 2018 to 1990 was upside down: these are the papers from 1990 to 2018." in " ".join(page.split())
    assert re.search(r'name="year_from"[^>]*value="1990"', page)
    assert "year_from=2018" not in page
    assert "upside down" in text(client, "/papers/?q=nothing-matches-this&year_from=2018&year_to=1990")
    assert "upside down" not in text(client, "/papers/?year_from=1990&year_to=2018")


def test_matched_words_are_marked_in_titles(client: Client) -> None:
    page = client.get("/papers/?q=attention friends").content.decode()
    assert "<mark>Attention</mark> Is All You Need</bdi>" in page
    assert "&lt;b&gt;<mark>Friends</mark>&lt;/b&gt;" in page


@pytest.mark.parametrize("words", ["", "?q=claim"])
def test_no_markup_of_a_text_stands_in_the_list(client: Client, own_library: Path, words: str) -> None:
    summary = r"A claim [^preln] that **all** of it is [shown](https://example.org) \cite{smith2019}."
    paper = SamplePaper("raw", "Raw", ["Ann"], summaries={"simple": summary})
    sample.build(own_library.parent, [paper])
    page = text(client, f"/papers/{words}")
    assert "that all of it is shown." in page.replace("<mark>", "").replace("</mark>", "")
    assert not re.search(r"preln|\*\*|cite\{", page)


def test_a_list_in_another_format_means_the_same(client: Client) -> None:
    address = "venue=neurips&venue=naacl&year_from=2030&year_to=1990"
    found = client.get(f"/papers.json?{address}").json()
    assert {paper["paper_id"] for paper in found["papers"]} == {"123", "789"}
    assert found["facets"]["venue"]["neural computation"] == 1
    assert client.get(f"/papers.atom?{address}").content.count(b"<entry>") == 2


@pytest.mark.parametrize("address", ["/", '/papers/?q=attention+"x', "/ask/"])
def test_a_page_that_is_shared_says_what_it_is(client: Client, address: str) -> None:
    page = text(client, address)
    title = re.search(r"<title>\s*(.*?)\s*· papersite</title>", page, re.DOTALL)
    assert title
    assert f'<meta property="og:title" content="{title[1].strip()}">' in page


@pytest.mark.usefixtures("alike")
def test_conditions_that_no_paper_meets_are_said_beside_the_papers_of_other_years(client: Client) -> None:
    page = text(client, "/papers/?q=by+Anon+Ymous3+since+2050")
    assert "No paper meets all of this" in page
    assert "part 3" in page
    assert "part 2" not in page


@pytest.mark.usefixtures("alike")
def test_a_language_that_is_not_read_is_said(client: Client) -> None:
    assert "This library cannot read the question" in text(client, "/papers/?q=Wie+entsteht+Krebs+durch+Rauchen")
