"""How large the body of a request may be: a route that takes more than usual says so, and only for who was let in.

A stranger must not fill memory or disk before anybody has looked who it is, and looking takes the database. So a page
with a form for large files also gives its reader a permit, a signed cookie, which can be checked without it. The permit
opens nothing else: the view asks again who is sending.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse, parse_cookie
from django.urls import Resolver404, resolve

from papercore import limits

View = Callable[..., HttpResponse]
PERMIT = "large-body"
_SALT = "papersite.server.body_limits"


def takes_body(most_bytes: int) -> Callable[[View], View]:
    """The view takes bodies of so many bytes from readers to whom it showed its form."""

    def decorate(view: View) -> View:
        @wraps(view)
        def permitting(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # Any: what the address holds
            response = view(request, *args, **kwargs)
            if request.method == "GET" and response.status_code == 200:
                response.set_cookie(
                    PERMIT,
                    TimestampSigner(salt=_SALT).sign(request.path_info),
                    max_age=limits.PERMIT_SECONDS,
                    path=request.path_info,
                    secure=settings.HTTPS,
                    httponly=True,
                    samesite="Strict",
                )
            return response

        permitting.body_bytes = most_bytes  # type: ignore[attr-defined]
        return permitting

    return decorate


def body_limit(raw_path: str, cookies: str) -> int:
    """How many bytes a request to this address with this Cookie header may bring. Asks no database."""
    path = unquote(raw_path)
    try:
        most = int(getattr(resolve(path).func, "body_bytes", limits.BODY_BYTES))
        if most > limits.BODY_BYTES:
            signed = parse_cookie(cookies).get(PERMIT, "")
            if TimestampSigner(salt=_SALT).unsign(signed, max_age=limits.PERMIT_SECONDS) != path:
                return limits.BODY_BYTES
    except (Resolver404, BadSignature):
        return limits.BODY_BYTES
    return most
