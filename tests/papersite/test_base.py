"""What every page has: the policy, the theme, the error pages, the static files."""

import re

import pytest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory

from papercore.errors import Conflict, InvalidInput, NotFound, ToolError, Unavailable
from papersite.error_pages import error_response

# Any request may look at the default database, if only to let go of an old connection.
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


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere(client: Client) -> None:
    policy = client.get("/no/such/page")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_pages_hold_no_inline_script_style_or_handler(client: Client) -> None:
    page = client.get("/no/such/page").content.decode()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", page)


@pytest.mark.parametrize(("cookie", "shown"), [("dark", True), ("light", True), ("<b>", False), ("", False)])
def test_the_theme_comes_from_the_cookie(client: Client, cookie: str, shown: bool) -> None:
    client.cookies["theme"] = cookie
    page = client.get("/no/such/page").content.decode()
    assert (f'data-theme="{cookie}"' in page) is shown


def test_the_frame_for_diagrams_may_be_framed_here_only(client: Client) -> None:
    response = client.get("/diagram/")
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"]
    assert "script-src 'self'" in response["Content-Security-Policy"].split("; ")


def test_pages_without_an_icon_of_their_own_get_the_sites(client: Client) -> None:
    assert client.get("/favicon.ico")["Location"] == "/static/papersite/favicon.svg"
