"""Creates and checks bearer tokens."""

import hashlib
import secrets

from mcpapi.models import McpToken

# Lets people and secret scanners recognise a token.
PREFIX = "papersite_"


def create_token(name: str) -> str:
    """A new token. Only its hash is stored, so it cannot be shown again."""
    token = PREFIX + secrets.token_urlsafe(32)
    McpToken.objects.create(name=name, digest=_digest(token))
    return token


def is_valid(token: str) -> bool:
    """Something that is no token at all is not worth a query."""
    return token.startswith(PREFIX) and McpToken.objects.filter(digest=_digest(token), revoked_at=None).exists()


def key(token: str) -> str:
    """An identifier for the holder of the token, from which the token cannot be derived."""
    return f"token:{_digest(token)}"


def _digest(token: str) -> str:
    """A token is 256 random bits, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
