"""A private site: a login or a token for everything but static files, probes and the login itself."""

from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from django.utils.regex_helper import normalize
from pytest_django import Settings

from mcpapi.models import create_token
from papersite.apps import check_access

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
OPEN = {
    "/healthz",
    "/readyz",
    "/robots.txt",
    "/sign-in/",
    "/enter/",
    "/invitation/1/1/",
    "/searches/waiting/1.atom",
    "/admin/login/",
}
# For the parameters of addresses; "1" where none is named here.
SAMPLES = {
    "paper_id": "123",
    "suffix": "json",
    "kind": "json",
    "session_id": "0" * 32,
    "key": "0" * 32,
    "category": "keyword",
    "path": "papers",
    "url": "papers",
    "app_label": "papers",
}
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


class Route(NamedTuple):
    address: str
    pattern: URLPattern


def routes(resolver: URLResolver, prefix: str = "/") -> Iterator[Route]:
    """Every route of the site, with an address that leads to it."""
    for entry in resolver.url_patterns:
        template, names = normalize(entry.pattern.regex.pattern)[0]
        address = prefix + template % {name: SAMPLES.get(name, "1") for name in names}
        if isinstance(entry, URLResolver):
            yield from routes(entry, address)
        else:
            yield Route(address, entry)


ROUTES = list(routes(get_resolver()))


@pytest.fixture(autouse=True)
def private(settings: Settings) -> None:
    settings.ACCESS = "private"
    settings.MCP_AUTH = "required"


def is_refusal(answer: HttpResponseBase) -> bool:
    if answer.status_code == 302:
        return str(answer["Location"]).startswith("/sign-in/?next=")
    return answer.status_code == 401 and answer["WWW-Authenticate"].startswith("Bearer")


def test_the_walk_reaches_every_route() -> None:
    assert len(ROUTES) > 80
    # An address that REST serves by two methods has a route for each; its root is behind the site's own redirect.
    views = {(route.address, route.pattern.callback) for route in ROUTES}
    missed = [route.address for route in ROUTES if (route.address, resolve(route.address).func) not in views]
    assert missed == []


@pytest.mark.parametrize("accept", [{}, BROWSER], ids=["program", "browser"])
def test_no_other_address_answers_a_stranger(client: Client, accept: dict[str, str]) -> None:
    asked = {route.address for route in ROUTES} - OPEN | {"/nothing", "/static/nothing.css"}
    answered = {
        f"{method} {address}"
        for address in asked
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")
        if not is_refusal(client.generic(method, address, headers=accept))
    }
    # The gate of /mcp refuses methods before it looks at tokens.
    assert {found for found in answered if not found.split(" ")[1].startswith("/mcp")} == set()
    assert not any(found.startswith("POST") for found in answered)


@pytest.mark.parametrize("path", ["/", "/papers/?q=a%20b", "/papers/123/", "/searches/", "/specs/", "/admin/"])
def test_people_are_sent_to_the_login_and_from_there_back(path: str, client: Client) -> None:
    User.objects.create_superuser("anna", password="a long pass phrase")
    to_login = client.get(path, headers=BROWSER)["Location"]
    answer = client.post(to_login, {"username": "anna", "password": "a long pass phrase"})
    assert (answer.status_code, answer["Location"]) == (302, path)
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/api/papers/123", "/api/openapi.json", "/papers/123.json", "/papers/123.bib", "/papers.atom", "/metrics"]
)
def test_programs_get_401_and_are_served_with_a_token(path: str, client: Client) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, 'Bearer realm="papersite"')
    assert answer.json()["error"] == "login_required"
    assert client.get(path, headers={"Authorization": "Bearer invented"}).status_code == 401
    token = create_token("reader")
    assert client.get(path, headers={"Authorization": f"Bearer {token}"}).status_code == 200


def test_rest_and_feeds_are_401_for_browsers_too(client: Client) -> None:
    assert client.get("/api/papers/123", headers=BROWSER).status_code == 401
    assert client.get("/papers.atom", headers=BROWSER).status_code == 401
    assert client.get("/papers/123.bib", headers=BROWSER).status_code == 302


def test_a_part_of_a_page_that_htmx_asks_for_leads_the_whole_page_to_the_login(client: Client) -> None:
    answer = client.get("/papers/?q=a", headers={**BROWSER, "HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (401, "/sign-in/?next=/papers/%3Fq%3Da")
    answer = client.post("/basket/toggle/", headers={**BROWSER, "HX-Request": "true"})
    assert answer["HX-Redirect"] == "/sign-in/?next=/"


def test_strangers_see_the_login_with_its_style_and_short_probes(client: Client) -> None:
    assert client.get("/sign-in/").status_code == 200
    assert client.get("/robots.txt").status_code == 200
    with closing(client.get("/static/papersite/favicon.svg")) as icon:
        assert icon.status_code == 200
    assert client.get("/healthz").json() == {"status": "ok"}
    assert set(client.get("/readyz").json()) == {"status"}
    token = create_token("probe")
    assert "parts" in client.get("/readyz", headers={"Authorization": f"Bearer {token}"}).json()


def test_no_cache_on_the_way_keeps_what_is_private(client: Client) -> None:
    client.force_login(User.objects.create_user("reader"))
    for path in ("/papers/123/", "/papers/123.json", "/favicon.ico"):
        assert "private" in client.get(path)["Cache-Control"]
        assert "public" not in client.get(path)["Cache-Control"]


def test_a_private_site_with_an_open_mcp_is_warned_about(settings: Settings) -> None:
    assert check_access() == []
    settings.MCP_AUTH = "off"
    assert [message.id for message in check_access()] == ["papersite.W003"]
    settings.ACCESS = "open"
    assert check_access() == []


def test_an_open_site_asks_nobody(client: Client, settings: Settings) -> None:
    settings.ACCESS = "open"
    assert client.get("/api/papers/123").status_code == 200
    assert "parts" in client.get("/readyz").json()
