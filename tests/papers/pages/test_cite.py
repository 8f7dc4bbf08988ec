"""The pages that cite one paper or the basket in a style."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from papercore import limits
from papers.catalogue.style_files import style_file


def test_a_paper_is_cited_in_the_style_and_with_the_page_asked_for(client: Client) -> None:
    page = client.get("/papers/123/cite/?style=apa&page=7").content.decode()
    assert ", 2017, p. 7)" in page
    assert "Attention Is All You Need" in page
    assert '<option value="apa" selected>' in page


def test_an_unknown_style_is_answered_in_the_first(client: Client) -> None:
    assert '<option value="apa" selected>' in client.get("/papers/123/cite/?style=owl").content.decode()


def test_a_style_file_that_is_brought_is_used(client: Client) -> None:
    file = SimpleUploadedFile("own.csl", style_file("ieee"))
    page = client.post("/papers/123/cite/", {"csl": file}).content.decode()
    assert "own.csl" in page
    assert "<p>[1] " in page


def test_a_file_that_is_no_style_is_refused_and_the_paper_cited_all_the_same(client: Client) -> None:
    response = client.post("/papers/123/cite/", {"csl": SimpleUploadedFile("own.csl", b"owls")})
    assert response.status_code == 400
    assert "cannot be used" in response.content.decode()
    assert "Attention Is All You Need" in response.content.decode()
    large = SimpleUploadedFile("own.csl", b"<" * (limits.STYLE_CHARS + 1))
    assert "too large" in client.post("/papers/123/cite/", {"csl": large}).content.decode()


def test_the_basket_is_cited_in_one_bibliography(client: Client) -> None:
    assert "The basket is empty" in client.get("/basket/cite/").content.decode()
    for paper_id in ("123", "456"):
        client.post("/basket/toggle/", {"toggle": paper_id})
    page = client.get("/basket/cite/?style=vancouver").content.decode()
    assert "<p>1. " in page
    assert "<p>2. " in page


def test_it_answers_over_rest_with_a_style_of_the_site_or_of_ones_own(client: Client) -> None:
    answer = client.get("/api/citations?paper_ids=123&style=nature&form=markdown").json()
    assert answer["papers"] == [{"paper_id": "123", "in_text": "<sup>1</sup>"}]
    body = {"paper_ids": ["123"], "csl": style_file("ieee").decode()}
    own = client.post("/api/citations", body, content_type="application/json").json()
    assert own["bibliography"][0].startswith("[1] ")
    wrong = client.post("/api/citations", {"paper_ids": ["123"], "csl": "owls"}, content_type="application/json")
    assert wrong.status_code == 422
