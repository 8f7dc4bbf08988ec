"""Failed logins are limited per address."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.test import Client, RequestFactory

from papercore import limits
from papercore.processes.rate_limits import rate_limit
from papersite import logins

# Any request may look at the default database, if only to close an old connection.
pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
LOGIN = "/admin/login/"


@pytest.fixture
def fresh_failures() -> None:
    rate_limit.cache_clear()
    logins.failures()


def test_guessing_passwords_is_slowed_down_and_then_refused_to_that_address(
    client: Client, fresh_failures: None
) -> None:
    User.objects.create_superuser("op", password="right")
    wrong = {"username": "op", "password": "wrong"}
    answers = [client.post(LOGIN, wrong, REMOTE_ADDR="192.0.2.1") for _ in range(11)]
    assert [answer.status_code for answer in answers] == [200] * 10 + [503]
    right = {"username": "op", "password": "right"}
    refused = client.post(LOGIN, right, REMOTE_ADDR="192.0.2.1")
    assert refused.status_code == 503
    assert "Too many failed logins" in refused.content.decode()
    assert client.post(LOGIN, right, REMOTE_ADDR="192.0.2.2").status_code == 302


def test_logging_in_uses_up_no_failure(client: Client, fresh_failures: None) -> None:
    User.objects.create_superuser("op", password="right")
    for _ in range(2 * limits.LOGIN_FAILURES):
        assert client.post(LOGIN, {"username": "op", "password": "right"}).status_code == 302
        client.logout()


class HashedAtOnce(ModelBackend):
    """Stands for hashing: nobody gets past it before everybody who may has come."""

    tries = 0
    everybody = threading.Barrier(limits.LOGIN_FAILURES)

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:  # Any: Django's signature
        self.everybody.wait(60)
        HashedAtOnce.tries += 1
        return None


class LimitedSlowBackend(logins.LimitedBackend, HashedAtOnce):
    """The limit in front of slow hashing."""


def test_forty_tries_at_once_are_ten_tries(fresh_failures: None) -> None:
    request = RequestFactory().post(LOGIN, REMOTE_ADDR="192.0.2.1")

    def guess(number: int) -> bool:
        try:
            LimitedSlowBackend().authenticate(request, "op", f"guess {number}")
        except logins.TooManyLogins:
            return False
        return True

    with ThreadPoolExecutor(40) as threads:
        looked_at = list(threads.map(guess, range(40)))
    assert sum(looked_at) == HashedAtOnce.tries == limits.LOGIN_FAILURES


@pytest.mark.parametrize("weak", ["short-1", "password1234", "839201749205", "operator-op"])
def test_weak_passwords_are_refused(weak: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(weak, User(username="operator-op"))
    validate_password("five grey herons at dusk")
