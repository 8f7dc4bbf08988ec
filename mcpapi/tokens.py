"""Makes and recognises bearer tokens."""

import hashlib
import secrets

from mcpapi.models import McpToken

# Lets people and secret scanners see what a string is.
PREFIX = "papersite_"


def create_token(name: str) -> str:
    """A new token; this is the only moment at which it can be seen."""
    token = PREFIX + secrets.token_urlsafe(32)
    McpToken.objects.create(name=name, digest=_digest(token))
    return token


def is_valid(token: str) -> bool:
    return McpToken.objects.filter(digest=_digest(token), revoked_at=None).exists()


def key(token: str) -> str:
    """A name for whoever holds the token, from which the token cannot be found."""
    return f"token:{_digest(token)}"


def _digest(token: str) -> str:
    """A token is 256 random bits: one round of SHA-256 cannot be searched, and costs nothing."""
    return hashlib.sha256(token.encode()).hexdigest()
