"""Bearer tokens of callers: created, stored as hashes, checked; each with a scope, and until when it holds."""

import hashlib
import secrets
from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import DatabaseError, models
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from papercore.caller import SCOPES, Scope

# Lets people and secret scanners recognise a token.
PREFIX = "papersite_"
NAME_CHARS = 100
# The last use is noted at most this often: a call should not have to write.
LAST_USE_EVERY = timedelta(minutes=10)


class McpToken(models.Model):
    """One caller's token. It is valid until it is revoked or expires, or its owner's account is closed."""

    name = models.CharField(max_length=NAME_CHARS, unique=True, help_text="Who or what uses it.")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True)
    scope = models.CharField(
        max_length=10,
        choices=[("read", "read"), ("decide", "read, and run searches"), ("write", "also change the library")],
        default="decide",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True, help_text="Empty: it does not expire.")
    last_used_at = models.DateTimeField(null=True, editable=False)
    revoked_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = "MCP token"

    def __str__(self) -> str:
        return self.name


class ValidToken(Struct, frozen=True):
    # Identifies the holder; the token cannot be derived from it.
    key: str
    scope: Scope


def new_token() -> tuple[str, str]:
    """A token and its digest. Only the digest is stored, so the token cannot be shown again."""
    token = PREFIX + secrets.token_urlsafe(32)
    return token, _digest(token)


def create_token(
    name: str, scope: Scope = "decide", expires_at: datetime | None = None, owner_name: str | None = None
) -> str:
    """A new token. ValueError if its name is none."""
    if not name.strip() or not name.isprintable() or len(name) > NAME_CHARS:
        raise ValueError(f"A token's name is 1 to {NAME_CHARS} printable characters.")
    token, digest = new_token()
    owner = get_user_model().objects.get(username=owner_name) if owner_name else None
    McpToken.objects.create(name=name, digest=digest, scope=scope, expires_at=expires_at, owner=owner)
    return token


def valid_token(token: str) -> ValidToken | None:
    """Something that is no token at all is not worth a query."""
    if not token.startswith(PREFIX):
        return None
    now = timezone.now()
    rows = McpToken.objects.filter(digest=_digest(token), revoked_at=None)
    rows = rows.filter(Q(expires_at=None) | Q(expires_at__gt=now), Q(owner=None) | Q(owner__is_active=True))
    row = rows.only("scope", "last_used_at", "digest").first()
    if row is None:
        return None
    if row.last_used_at is None or now - row.last_used_at > LAST_USE_EVERY:
        with suppress(DatabaseError):  # a database that takes no writes still tells who may read
            McpToken.objects.filter(pk=row.pk).update(last_used_at=now)
    return ValidToken(f"token:{row.digest}", row.scope if row.scope in SCOPES else "read")


def _digest(token: str) -> str:
    """A token is 256 random bits, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
