"""Links to papers and facet values."""

import pytest
from django.urls import reverse

from papers.catalogue.lookup import in_list, paper_url, value_url


@pytest.mark.parametrize("view", ["paper", "source", "pdf", "bibtex", "side-by-side"])
def test_a_view_of_a_paper_is_at_the_address_of_its_route(view: str) -> None:
    assert paper_url("arxiv:1706.03762", view) == reverse(view, args=["arxiv:1706.03762"])


def test_a_translation_is_named_by_its_language() -> None:
    assert paper_url("123", "translation", "zh") == reverse("translation", args=["123", "zh"])


def test_an_id_that_no_address_can_hold_makes_a_link_that_leads_nowhere_and_not_an_error() -> None:
    assert paper_url("a b?", "translation", "zh Hans") == "/papers/a%20b%3F/translation/zh%20Hans/"


def test_a_paper_in_a_list_leads_on_to_its_neighbours() -> None:
    assert in_list(paper_url("123"), "q=deep&sort=title", 7) == "/papers/123/?list=q%3Ddeep%26sort%3Dtitle&at=7"
    assert in_list(paper_url("123"), "", 1) == "/papers/123/?at=1"
    assert in_list(paper_url("123"), "", None) == "/papers/123/"


def test_a_slash_in_a_value_stays_part_of_the_value() -> None:
    assert value_url("keyword", "client/server") == "/by/keyword/client%2Fserver/"


def test_a_place_in_a_listed_paper_keeps_its_anchor() -> None:
    link = "/papers/123/source/?passage=1#p-1"
    assert in_list(link, "q=deep", 7) == "/papers/123/source/?passage=1&list=q%3Ddeep&at=7#p-1"
    assert in_list(link, "q=deep", None) == link
