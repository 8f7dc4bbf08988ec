"""Limits password guessing: after so many failed logins a minute, an address has to wait."""

from math import ceil
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from papercore import limits
from papercore.errors import Unavailable
from papercore.rate_limit import RateLimit

failures = RateLimit(limits.LOGIN_FAILURES)


class TooManyLogins(Unavailable):
    code = "rate_limited"


class LimitedBackend(ModelBackend):
    """Django's own users and passwords, which are not even looked at while an address has to wait."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:  # Any: Django's signature
        seconds = failures.wait(request.META.get("REMOTE_ADDR", "")) if request else 0
        if seconds:
            raise TooManyLogins(f"Too many failed logins: wait {ceil(seconds)} s.", retry_after_seconds=ceil(seconds))
        return super().authenticate(request, username, password, **kwargs)


@receiver(user_login_failed, dispatch_uid="papersite.logins.count_failure")
def count_failure(request: HttpRequest | None = None, **_: object) -> None:
    if request:
        failures.take(request.META.get("REMOTE_ADDR", ""))
