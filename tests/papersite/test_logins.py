"""Failed logins are limited per address."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from papercore import limits
from papercore.rate_limit import RateLimit
from papersite import logins

# Any request may look at the default database, if only to close an old connection.
pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
LOGIN = "/admin/login/"


@pytest.fixture
def fresh_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logins, "failures", RateLimit(limits.LOGIN_FAILURES))


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
