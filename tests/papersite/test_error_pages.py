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
