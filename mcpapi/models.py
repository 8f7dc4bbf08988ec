"""Bearer tokens of callers: created, stored as hashes, checked."""

import hashlib
import secrets

from django.db import models

# Lets people and secret scanners recognise a token.
PREFIX = "papersite_"


class McpToken(models.Model):
    """One caller's token. It is valid until it is revoked."""

    name = models.CharField(max_length=100, unique=True, help_text="Who or what uses it.")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = "MCP token"

    def __str__(self) -> str:
        return self.name


def create_token(name: str) -> str:
    """A new token. Only its hash is stored, so it cannot be shown again."""
    token = PREFIX + secrets.token_urlsafe(32)
    McpToken.objects.create(name=name, digest=_digest(token))
    return token


def is_valid_token(token: str) -> bool:
    """Something that is no token at all is not worth a query."""
    return token.startswith(PREFIX) and McpToken.objects.filter(digest=_digest(token), revoked_at=None).exists()


def token_key(token: str) -> str:
    """An identifier for the holder of the token, from which the token cannot be derived."""
    return f"token:{_digest(token)}"


def _digest(token: str) -> str:
    """A token is 256 random bits, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
