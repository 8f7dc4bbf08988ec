"""A paper is found by its id and by a name that only it has, and has an address in the site."""

from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from papercore import limits
from papercore.errors import InvalidInput
from papercore.resource import ResourceText
from papers import tools
from papers.catalogue.lookup import in_list, paper_url, value_url
from papers.resources import PaperResources
from papers.snapshot import served
from papers.snapshot.errors import AmbiguousPaper, PaperNotFound
from tests import snapshot as sample

NAMES = [
    "10.5555/3295222.3295349",
    "https://doi.org/10.5555/3295222.3295349",
    "doi:10.5555/3295222.3295349",
    "1706.03762",
    "arXiv:1706.03762v5",
    "vaswani2017attention",
]


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_takes_any_name_of_a_paper_and_answers_with_its_id(name: str) -> None:
    found = [
        tools.get_paper_metadata(name).paper_id,
        tools.get_paper_summary(name).paper_id,
        tools.get_paper_source(name).paper_id,
        tools.get_paper_translation(name, "zh").paper_id,
        tools.get_paper_bibtex(name).paper_id,
        tools.get_similar_papers(name).paper_id,
    ]
    assert found == ["123"] * 6


@pytest.mark.parametrize("name", ["10.5555/3295222.3295349", *(quote(name, safe="") for name in NAMES)])
@pytest.mark.parametrize("below", ["", "/summary", "/source", "/translations/zh", "/bibtex", "/similar"])
def test_rest_takes_any_name_of_a_paper(client: Client, name: str, below: str) -> None:
    response = client.get(f"/api/papers/{name}{below}")
    assert (response.status_code, response.json()["paper_id"]) == (200, "123")


@pytest.mark.parametrize("name", NAMES)
def test_a_resource_takes_any_name_of_a_paper(name: str) -> None:
    read = PaperResources().read(f"paper://{quote(name, safe='')}/metadata")
    assert isinstance(read, ResourceText)
    assert '"paper_id":"123"' in read.text


@pytest.mark.parametrize("name", NAMES)
def test_a_page_by_any_name_leads_to_the_address_by_id(client: Client, name: str) -> None:
    assert client.get(f"/papers/{quote(name, safe='')}/")["Location"] == "/papers/123/"


def test_a_paper_is_put_in_the_basket_under_its_id(client: Client) -> None:
    client.post("/basket/toggle/", {"toggle": "1706.03762"})
    assert client.cookies["basket"].value == "123"


def test_an_id_counts_before_any_other_name(own_library: Path) -> None:
    sample.change(own_library, "UPDATE paper_bibtex SET bibtex_key = '123' WHERE paper_id = '456'")
    served.renew()
    assert tools.get_paper_metadata("123").title == "Attention Is All You Need"


def test_a_citation_key_of_two_papers_names_both_and_chooses_neither(client: Client, own_library: Path) -> None:
    sample.change(own_library, "UPDATE paper_bibtex SET bibtex_key = 'same'")
    served.renew()
    with pytest.raises(AmbiguousPaper) as error:
        tools.get_paper_bibtex("same")
    assert error.value.payload() == {
        "error": "ambiguous_paper_id",
        "message": "2 papers have the citation key same. Pass the id of one of them: 123, 456.",
        "paper_id": "same",
        "paper_ids": ["123", "456"],
    }
    assert client.get("/api/papers/same").status_code == 422
    assert client.get("/papers/same/").status_code == 400


def test_an_old_key_leads_to_its_paper_until_another_has_it(own_library: Path) -> None:
    sample.change(own_library, "INSERT INTO paper_key_alias VALUES ('bib:old', '789', 'bib', NULL)")
    served.renew()
    assert tools.get_paper_metadata("old").paper_id == "789"
    sample.change(own_library, "UPDATE paper_bibtex SET bibtex_key = 'old' WHERE paper_id = '456'")
    served.renew()
    assert tools.get_paper_metadata("old").paper_id == "456"


@pytest.mark.parametrize("name", ["10.5555/none", "2101.00001", "nobody2020", "../../etc/passwd", "x" * 300, "%", "'"])
def test_a_name_that_no_paper_has_is_not_found(client: Client, name: str) -> None:
    with pytest.raises(PaperNotFound):
        tools.get_paper_metadata(name)
    assert client.get(f"/api/papers/{quote(name, safe='')}").status_code == 404
    assert client.get(f"/papers/{quote(name, safe='')}/").status_code == 404


@pytest.mark.parametrize("name", ["", "\0", " ", "x" * (limits.PAPER_NAME_CHARS + 1), "x" * 100_000])
def test_a_name_that_is_empty_or_too_long_is_invalid(name: str) -> None:
    with pytest.raises(InvalidInput):
        tools.get_paper_metadata(name)


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
