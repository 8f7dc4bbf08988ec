"""A paper is found by its id, and by a DOI, an arXiv id or a citation key that only it has."""

from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client

from papercore import limits
from papercore.errors import InvalidInput
from papers import tools
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
