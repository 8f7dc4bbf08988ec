"""The addresses that belong to the whole site rather than to one of its apps."""

import re

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


def test_crawlers_are_kept_from_private_pages_and_sent_to_the_sitemap(client: Client) -> None:
    assert client.get("/robots.txt").content.decode().splitlines() == [
        "User-agent: *",
        "Disallow: /admin/",
        "Disallow: /state/",
        "Disallow: /sign-in/",
        "Disallow: /basket/",
        "Disallow: /searches/",
        "Disallow: /ask/answers/",
        "Sitemap: http://testserver/sitemap.xml",
    ]


def test_the_sitemap_begins_with_the_sites_main_pages(client: Client) -> None:
    lines = client.get("/sitemap-1.txt").content.decode().splitlines()
    site = "http://testserver"
    assert lines[:5] == [f"{site}/", f"{site}/papers/", f"{site}/stats/", f"{site}/specs/", f"{site}/papers/123/"]


@pytest.mark.parametrize("page", ["papers", "stats", "connect", "basket", "specs", "searches", "papers/123"])
def test_an_address_typed_without_its_closing_slash_is_redirected(client: Client, page: str) -> None:
    assert client.get(f"/{page}?q=a%20b")["Location"] == f"/{page}/?q=a%20b"


def test_the_root_of_the_rest_api_leads_to_its_documentation(client: Client) -> None:
    assert client.get("/api/")["Location"] == "/api/docs"


def test_a_page_names_the_address_that_completes_what_is_typed(client: Client) -> None:
    address = re.search(r'id="suggestions"[^>]* data-url="([^"]+)"', client.get("/").content.decode())
    assert address
    assert "Attention Is All You Need" in client.get(address[1], {"q": "atten"}).content.decode()


def test_pages_without_an_icon_of_their_own_get_the_sites(client: Client) -> None:
    assert client.get("/favicon.ico")["Location"] == "/static/papersite/favicon.svg"
