"""Limits password guessing: after so many failed logins a minute, an address has to wait."""

from math import ceil
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.http import HttpRequest

from papercore import limits
from papercore.caller import network_of
from papercore.errors import Unavailable
from papercore.processes.rate_limits import RateLimit, rate_limit


def failures() -> RateLimit:
    """Failed logins of each address, counted by all workers."""
    return rate_limit("failed logins", limits.LOGIN_FAILURES)


class TooManyLogins(Unavailable):
    code = "rate_limited"


class LimitedBackend(ModelBackend):
    """Django's own users and passwords, which are not even looked at while an address has to wait.

    A try is counted before the password is hashed, which takes long: many tries at once are then many counted tries.
    """

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:  # Any: Django's signature
        if request is None:
            return super().authenticate(request, username, password, **kwargs)
        client = network_of(request.META.get("REMOTE_ADDR", ""))
        if seconds := failures().take(client):
            raise TooManyLogins(f"Too many failed logins: wait {ceil(seconds)} s.", retry_after_seconds=ceil(seconds))
        user = super().authenticate(request, username, password, **kwargs)
        if user is not None:
            failures().give_back(client)
        return user
