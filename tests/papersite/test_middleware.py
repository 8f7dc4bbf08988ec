"""Who the client is, and what the log says about a request."""

import pytest
from django.test import Client, RequestFactory
from pytest_django import Settings

from papersite.middleware import client_address, log_internal_error, request_size


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "203.0.113.5", "192.0.2.1"),
        (1, "203.0.113.5", "203.0.113.5"),
        (1, "198.51.100.9, 203.0.113.5", "203.0.113.5"),
        (2, "198.51.100.9, 203.0.113.5, 192.0.2.7", "203.0.113.5"),
        (2, "203.0.113.5", "192.0.2.1"),
        (1, "", "192.0.2.1"),
    ],
)
def test_the_client_is_whom_our_outermost_proxy_saw(
    proxies: int, forwarded: str, address: str, settings: Settings
) -> None:
    settings.PROXIES = proxies
    request = RequestFactory().get("/", headers={"X-Forwarded-For": forwarded}, REMOTE_ADDR="192.0.2.1")
    assert client_address(request) == address


def test_an_internal_error_is_logged_with_its_route(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ValueError
    except ValueError:
        log_internal_error(request=RequestFactory().get("/static/site.css"))
    assert [getattr(record, "fields", None) for record in caplog.records] == [{"route": "static"}]


@pytest.mark.parametrize(("length", "size"), [("12", 12), ("", 0), ("-1", 0), ("٣", 0), ("9" * 30, 0)])
def test_an_odd_length_counts_as_none(length: str, size: int) -> None:
    assert request_size(RequestFactory().get("/", CONTENT_LENGTH=length)) == size


@pytest.mark.django_db(databases=["default", "snapshot"])
@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "BREW"])
def test_a_method_that_no_page_has_is_405(method: str, client: Client) -> None:
    answer = client.generic(method, "/")
    assert answer.status_code == 405
    assert "GET" in answer["Allow"]


@pytest.mark.django_db(databases=["default", "snapshot"])
@pytest.mark.parametrize(
    ("path", "policy"),
    [("/searches/", "no-store"), ("/admin/login/", "no-store"), ("/basket/", "no-cache"), ("/connect/", "no-cache")],
)
def test_pages_that_depend_on_who_asks_are_kept_by_no_proxy(path: str, policy: str, client: Client) -> None:
    assert policy in client.get(path)["Cache-Control"]
    assert "private" in client.get(path)["Cache-Control"]


@pytest.mark.django_db(databases=["default", "snapshot"])
def test_behind_tls_every_cookie_is_sent_over_tls_alone(client: Client, settings: Settings) -> None:
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    login = client.get("/admin/login/", secure=True)
    basket = client.post("/basket/toggle/", {"toggle": "123"}, secure=True)
    cookies = [*login.cookies.values(), *basket.cookies.values()]
    assert {"csrftoken", "basket"} <= {cookie.key for cookie in cookies}
    assert all(cookie["secure"] for cookie in cookies)
