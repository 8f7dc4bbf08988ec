"""Ways to be somebody: strangers in all disguises, people whose time is over, and those who belong."""

import time
from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.signing import TimestampSigner
from django.test import Client
from django.utils import timezone

from mcpapi.models import McpToken, create_token
from papercore import limits
from papersite.accounts import owner
from papersite.accounts.roles import EDITORS, invite
from papersite.server.body_limits import PERMIT

LOCAL = {"host": "127.0.0.1:8000"}
BEHIND = {"x-forwarded-for": "203.0.113.7"}
Make = Callable[[], Client]


def local(**more: str) -> Client:
    return Client(headers={**LOCAL, **more})


def person(name: str, *, is_staff: bool = False, is_editor: bool = False, client: Client | None = None) -> Client:
    user = User.objects.create_user(name, is_staff=is_staff, is_superuser=is_staff)
    if is_editor:
        user.groups.create(name=EDITORS)
    client = client or local()
    client.force_login(user)
    return client


def closed() -> Client:
    client = person("closed", is_staff=True)
    User.objects.filter(username="closed").update(is_active=False)
    return client


def deleted() -> Client:
    client = person("deleted", is_staff=True)
    User.objects.filter(username="deleted").delete()
    return client


def signed_out() -> Client:
    """Somebody kept the cookie of a session that has ended."""
    client = person("gone", is_staff=True)
    session = client.cookies["sessionid"].value
    client.post("/logout/")
    return cookie("sessionid", session)


def new_password() -> Client:
    client = person("renewed", is_staff=True)
    user = User.objects.get(username="renewed")
    user.set_password("another")
    user.save()
    return client


def cookie(name: str, value: str, **headers: str) -> Client:
    client = local(**headers)
    client.cookies[name] = value
    return client


def owner_client(**headers: str) -> Client:
    return cookie(owner.cookie_name(), owner.cookie_value(), **headers)


class OldSigner(TimestampSigner):
    def timestamp(self) -> str:
        return signing.b62_encode(int(time.time()) - owner.COOKIE_SECONDS - 60)


def old_owner() -> Client:
    return cookie(owner.cookie_name(), OldSigner(salt=owner._SALT).sign("owner"))


def permit_alone() -> Client:
    return cookie(
        PERMIT, TimestampSigner(salt="papersite.server.body_limits").sign(f"{limits.UPLOAD_BYTES} /library/add/")
    )


def used_link() -> Client:
    """The link was opened by somebody else before."""
    key = owner.new_key(Path(settings.DATA))
    local().get("/enter/", {"key": key})
    return opened(f"/enter/?key={key}")


def replaced_link() -> Client:
    key = owner.new_key(Path(settings.DATA))
    owner.new_key(Path(settings.DATA))
    return opened(f"/enter/?key={key}")


def opened(address: str) -> Client:
    client = local()
    client.get(address)
    return client


def used_invitation() -> Client:
    path = invite("invited", "staff")
    user = User.objects.get(username="invited")
    user.set_password("chosen")
    user.save()
    return opened(path)


def changed_invitation() -> Client:
    path = invite("first", "reader")
    User.objects.create_user("second", is_staff=True)
    parts, other = path.split("/"), invite("third", "staff").split("/")
    parts[2] = other[2]
    return opened("/".join(parts))


def bearer(token: str, scheme: str = "Bearer", **headers: str) -> Client:
    return local(authorization=f"{scheme} {token}", **headers)


def token(scope: str = "write") -> str:
    return create_token(f"token to {scope}", scope)  # type: ignore[arg-type]


def expired() -> Client:
    return bearer(create_token("old", "write", timezone.now() - timedelta(seconds=1)))


def revoked() -> Client:
    client = bearer(token())
    McpToken.objects.update(revoked_at=timezone.now())
    return client


def of_closed_account() -> Client:
    person("leaver")
    client = bearer(create_token("of a leaver", "write", owner_name="leaver"))
    User.objects.filter(username="leaver").update(is_active=False)
    return client


def digest() -> Client:
    """What a copy of the database holds."""
    token()
    return bearer(f"papersite_{McpToken.objects.get().digest}")


def in_query() -> Client:
    return Client(headers=LOCAL, QUERY_STRING=f"access_token={token()}&token={token('read')}")


# What a proxy adds, and what anybody can send through one that passes headers on.
FORWARDING = {
    "x-forwarded-for": "127.0.0.1",
    "forwarded": "for=127.0.0.1;host=localhost;proto=https",
    "x-real-ip": "127.0.0.1",
    "x-forwarded-host": "localhost",
    "x-forwarded-user": "root",
    "remote-user": "root",
    "x-auth-request-user": "root",
    "x-original-url": "/healthz",
    "x-rewrite-url": "/healthz",
    "x-http-method-override": "GET",
    "true-client-ip": "127.0.0.1",
    "via": "1.1 proxy",
    "script-name": "/healthz",
}
STRANGERS: dict[str, Make] = {
    "direct": local,
    "another account of this machine": lambda: Client(headers={"host": "127.0.0.1:8000"}, REMOTE_ADDR="127.0.0.1"),
    "elsewhere": lambda: Client(headers=LOCAL, REMOTE_ADDR="203.0.113.7"),
    "plain proxy": lambda: Client(headers={"host": "testserver"}, REMOTE_ADDR="127.0.0.1"),
    "ipv6": lambda: Client(headers={"host": "[::1]:8000"}, REMOTE_ADDR="::1"),
    "tunnel": lambda: Client(headers={"host": "localhost:9000"}),
    "page of a foreign origin": lambda: local(origin="https://evil.example"),
    "page without an origin": lambda: local(origin="null"),
    "page under a name that was bound again": lambda: Client(
        headers={"host": "evil.example:8000", "origin": "http://evil.example:8000"}
    ),
    "page on another port": lambda: local(origin="http://127.0.0.1:3000"),
    "htmx": lambda: local(**{"hx-request": "true"}),
    "invented cookie": lambda: cookie(owner.cookie_name(), "owner"),
    "cookie of another site's key": lambda: cookie(owner.cookie_name(), TimestampSigner(key="other").sign("owner")),
    "cookie of a site on another port": lambda: cookie("papersite-owner-00000000", owner.cookie_value()),
    "cookie that was signed for something else": lambda: cookie(owner.cookie_name(), TimestampSigner().sign("owner")),
    "owner's cookie with another value": lambda: cookie(
        owner.cookie_name(), TimestampSigner(salt=owner._SALT).sign("staff")
    ),
    "owner's cookie after its time": old_owner,
    "permit for large bodies alone": permit_alone,
    "invented session": lambda: cookie("sessionid", "x" * 32),
    "closed account": closed,
    "deleted account": deleted,
    "session that was signed out": signed_out,
    "session from before the password was changed": new_password,
    "link that was used": used_link,
    "link that was replaced": replaced_link,
    "link that was guessed": lambda: opened("/enter/?key=guessed"),
    "link without a key": lambda: opened("/enter/?key="),
    "invitation that was used": used_invitation,
    "invitation of somebody else": changed_invitation,
    "invented token": lambda: bearer("papersite_invented"),
    "no token": lambda: bearer(""),
    "expired token": expired,
    "revoked token": revoked,
    "token of a closed account": of_closed_account,
    "stored form of a token": digest,
    "token as a password": lambda: local(authorization="Basic " + b64encode(f"x:{token()}".encode()).decode()),
    "token in a cookie": lambda: cookie("token", token()),
    "token in the address": in_query,
    "token of great length": lambda: bearer("papersite_" + "x" * limits.ID_CHARS * 30),
    "half a token": lambda: bearer(token()[:20]),
    **{f"header {name}": partial(local, **{name: value}) for name, value in FORWARDING.items()},
}
# Who belongs, and what they may beyond reading: c, change the library; s, enter the admin; o, see the site's state;
# a, have an account; t, call tools with a token.
KNOWN: dict[str, tuple[Make, str]] = {
    "owner": (owner_client, "co"),
    "owner behind a proxy": (lambda: owner_client(**BEHIND), "co"),
    "reader": (lambda: person("reader"), "a"),
    "editor": (lambda: person("editor", is_editor=True), "ca"),
    "editor behind a proxy": (lambda: person("editor", is_editor=True, client=local(**BEHIND)), "ca"),
    "staff": (lambda: person("staff", is_staff=True), "csoa"),
    "reader with an invented owner's cookie": (
        lambda: person("reader", client=cookie(owner.cookie_name(), "owner")),
        "a",
    ),
    "token to read": (lambda: bearer(token("read")), "t"),
    "token to decide": (lambda: bearer(token("decide")), "t"),
    "token to write": (lambda: bearer(token("write")), "t"),
    "token of an open account": (
        lambda: [person("holder"), bearer(create_token("held", "decide", owner_name="holder"))][1],
        "t",
    ),
    "token behind a proxy": (lambda: bearer(token("read"), "bearer", **BEHIND), "t"),
}


def strict(client: Client) -> Client:
    """As a browser: forms need their own token."""
    browser = Client(enforce_csrf_checks=True, headers=client.headers)
    browser.cookies = client.cookies
    return browser


# Somebody who may change the library has a page of others open, which sends forms with their cookies.
BORROWED: dict[str, Make] = {
    f"{whose} through {what}": partial(make, **headers)
    for whose, make in {
        "owner": lambda **headers: strict(owner_client(**headers)),
        "editor": lambda **headers: strict(person("editor", is_editor=True, client=local(**headers))),
        "staff": lambda **headers: strict(person("staff", is_staff=True, client=local(**headers))),
    }.items()
    for what, headers in {
        "a foreign page": {"origin": "https://evil.example"},
        "a page without an origin": {"origin": "null"},
        "a page on another port": {"origin": "http://127.0.0.1:3000"},
        "a link": {},
    }.items()
}
