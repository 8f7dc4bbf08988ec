"""Errors as pages, and as JSON for programs."""

import re

import pytest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory

from papercore.errors import Conflict, InvalidInput, NotFound, ToolError, Unavailable
from papersite.error_pages import error_response

# Any request may look at the default database, if only to close an old connection.
pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


def respond(path: str, error: ToolError, accept: str = "text/html") -> HttpResponse:
    request: HttpRequest = RequestFactory().get(path, headers={"accept": accept})
    return error_response(request, error)


@pytest.mark.parametrize(
    ("error", "status"),
    [(InvalidInput("a"), 400), (NotFound("b"), 404), (Conflict("c"), 409), (Unavailable("d"), 503)],
)
def test_each_kind_of_error_has_its_status_and_says_its_message(error: ToolError, status: int) -> None:
    response = respond("/papers/", error)
    assert response.status_code == status
    assert error.message in response.content.decode()


def test_a_program_gets_the_error_as_json() -> None:
    by_header = respond("/papers/", NotFound("gone", paper_id="x"), accept="application/json")
    by_name = respond("/papers/x.json", NotFound("gone", paper_id="x"))
    expected = b'{"error": "not_found", "message": "gone", "paper_id": "x"}'
    assert (by_header.content, by_name.content) == (expected, expected)


def test_an_error_message_is_text_and_not_markup() -> None:
    page = respond("/papers/", InvalidInput("<script>alert(1)</script>")).content.decode()
    assert "<script>alert" not in page


def test_a_mistyped_paper_leads_to_the_papers_it_may_have_meant(client: Client) -> None:
    response = client.get("/papers/transformer-2017/")
    page = response.content.decode()
    assert response.status_code == 404
    assert "There is no paper with this address" in page
    assert "This library has no paper transformer-2017." in page
    assert re.findall(r'href="(/papers/[^/?"]+/)"><bdi>', page) == ["/papers/123/", "/papers/789/"]


def test_an_unknown_address_answers_with_the_page_of_the_site(client: Client) -> None:
    response = client.get("/no/such/page")
    assert response.status_code == 404
    assert "There is nothing at this address" in response.content.decode()


def test_the_page_for_our_own_faults_needs_no_context() -> None:
    assert "Something went wrong on our side" in render_to_string("500.html")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("/papers/?year_from=abc", "<code>year_from</code> must be a whole number."),
        ("/papers/?year_to=12345", "<code>year_to</code> must be at most 9999."),
        ("/papers/?page=0", "<code>page</code> must be at least 1."),
        ("/papers/?sort=best", "<code>sort</code> must be &#39;relevance&#39;, &#39;newest&#39;"),
        ("/papers/?has=gold", "<code>has.0</code> must be &#39;source&#39;"),
        ("/papers/?q=" + "x" * 501, "<code>q</code> must have at most 500 characters."),
        ("/papers/?" + "&".join(f"tag={n}" for n in range(21)), "<code>tag</code> must have at most 20 values."),
    ],
)
def test_a_bad_request_is_told_in_words_what_was_wrong(client: Client, url: str, said: str) -> None:
    response = client.get(url)
    assert response.status_code == 400
    assert said in response.content.decode()


@pytest.mark.parametrize("name", ["xyzzy-foo-bar", "qwertz", "attention-zzz", "0123456789", "the-and-for", "asdf/jkl"])
def test_nonsense_suggests_nothing(client: Client, name: str) -> None:
    response = client.get(f"/papers/{name}/")
    assert response.status_code == 404
    assert "Close matches" not in response.content.decode()


@pytest.mark.parametrize("name", ["vaswani2017atention", "Attention-Is-All-You-Need", "shazeer_atention_transfomer"])
def test_a_typing_mistake_still_leads_to_the_paper(client: Client, name: str) -> None:
    assert 'href="/papers/123/"><bdi>' in client.get(f"/papers/{name}/").content.decode()
