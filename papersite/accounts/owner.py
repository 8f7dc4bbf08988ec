"""The person who started the site: a link that works once becomes a signed cookie.

Where a request comes from proves nothing: a proxy, a tunnel and every other account of this machine come over loopback.
The key of the link is in a file of the data folder that only its owner can read.
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

KEY_FILE = "sign-in-key"
# Leads a browser to the link: an address among a program's arguments could be read by other accounts.
PAGE_FILE = "sign-in.html"
COOKIE_SECONDS = 30 * 86_400
_SALT = "papersite.accounts.owner"


def new_key(data: Path) -> str:
    """The key of a new link; the one before becomes void."""
    key = secrets.token_urlsafe(32)
    write_private(data / KEY_FILE, key)
    return key


def write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def unused_key(data: Path) -> str:
    """The key of the link that has not been opened yet; empty if there is none."""
    try:
        return (data / KEY_FILE).read_text(encoding="utf-8")
    except OSError:
        return ""


def use_key(data: Path, key: str) -> bool:
    """Whether the key opens the site. It does once: of two requests, one removes the file."""
    unused = unused_key(data)
    if not unused or not constant_time_compare(key, unused):
        return False
    with suppress(OSError):
        (data / PAGE_FILE).unlink(missing_ok=True)
    try:
        (data / KEY_FILE).unlink()
    except OSError:
        return False
    return True


def link(site: str, key: str) -> str:
    return f"{site.rstrip('/')}/enter/?key={key}"


def cookie_name() -> str:
    """Differs between sites: browsers share the cookies of all ports of a machine."""
    return f"papersite-owner-{salted_hmac(_SALT, 'cookie').hexdigest()[:8]}"


def cookie_value() -> str:
    return TimestampSigner(salt=_SALT).sign("owner")


def set_cookie(response: HttpResponseBase) -> None:
    response.set_cookie(
        cookie_name(), cookie_value(), COOKIE_SECONDS, secure=settings.HTTPS, httponly=True, samesite="Lax"
    )


def is_owner(request: HttpRequest) -> bool:
    """Whether the request carries the owner's cookie, on a site that has an owner. Asks no database."""
    if settings.LIBRARY_CHANGES != "local":
        return False
    try:
        signed = request.COOKIES.get(cookie_name(), "")
        return TimestampSigner(salt=_SALT).unsign(signed, max_age=COOKIE_SECONDS) == "owner"
    except BadSignature:
        return False
