"""How large the body of a request may be: a route that takes more than usual says so, and for whom how much.

A stranger must not fill memory or disk before anybody has looked who it is, and looking takes the database. So a page
with a form for large files also gives its reader a permit, a signed cookie, which can be checked without it. It says
how many bytes its reader may send there, and opens nothing else: the view asks again who is sending.
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

# How long whoever was shown a form for large files may send them.
PERMIT_SECONDS = 12 * 3600
View = Callable[..., HttpResponse]
# How many bytes the sender of a request may send.
BodyLimit = Callable[[HttpRequest], int]
PERMIT = "large-body"
_SALT = "papersite.server.body_limits"


def takes_body(most_bytes: BodyLimit) -> Callable[[View], View]:
    """The view takes bodies of so many bytes from each reader to whom it showed its form."""

    def decorate(view: View) -> View:
        @wraps(view)
        def permitting(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # Any: what the address holds
            response = view(request, *args, **kwargs)
            if request.method == "GET" and response.status_code == 200:
                response.set_cookie(
                    PERMIT,
                    TimestampSigner(salt=_SALT).sign(f"{most_bytes(request)} {request.path_info}"),
                    max_age=PERMIT_SECONDS,
                    path=request.path_info,
                    secure=settings.HTTPS,
                    httponly=True,
                    samesite="Strict",
                )
            return response

        permitting.takes_large_bodies = True  # type: ignore[attr-defined]
        return permitting

    return decorate


def body_limit(raw_path: str, cookies: str) -> int:
    """How many bytes a request to this address with this Cookie header may bring. Asks no database."""
    path = unquote(raw_path)
    try:
        if not getattr(resolve(path).func, "takes_large_bodies", False):
            return limits.BODY_BYTES
        signed = parse_cookie(cookies).get(PERMIT, "")
        most, _, of_path = TimestampSigner(salt=_SALT).unsign(signed, max_age=PERMIT_SECONDS).partition(" ")
    except (Resolver404, BadSignature):
        return limits.BODY_BYTES
    return int(most) if of_path == path else limits.BODY_BYTES
