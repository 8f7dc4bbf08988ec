"""Tokens for callers of /mcp. Only hashes are stored."""

from django.db import models


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
