"""Registers the app, with the system checks of the site itself."""

from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register


class PapersiteConfig(AppConfig):
    name = "papersite"

    def ready(self) -> None:
        # Importing it registers what keeps the database files private.
        from papersite.data import database  # noqa: F401
        from papersite.logins import failures

        # Counted in memory that workers share, which must exist before they are forked.
        failures()


@register(Tags.security, deploy=True)
def check_secret_key(**_: object) -> list[CheckMessage]:
    if settings.SECRET_KEY_GIVEN:
        return []
    return [
        Error(
            "PAPERSITE_SECRET_KEY is not set: logins end when the process does, and do not hold across workers.",
            hint="Set it to 50 or more random characters, and keep it secret.",
            id="papersite.E001",
        )
    ]


@register(Tags.security)
def check_access(**_: object) -> list[CheckMessage]:
    """A warning: /mcp may be closed by the proxy."""
    if settings.ACCESS == "open" or settings.MCP_AUTH == "required":
        return []
    message = "PAPERSITE_ACCESS=private closes pages and REST, but /mcp still gives everybody the whole library."
    return [checks.Warning(message, hint="Set PAPERSITE_MCP_AUTH=required.", id="papersite.W003")]


@register
def check_data_folder(**_: object) -> list[CheckMessage]:
    """A warning: papers can be read without it, from a folder that is read-only for example."""
    if Path(settings.DATA).is_dir():
        return []
    hint = f"Make the folder {settings.DATA}, or name another one in PAPERSITE_DATA."
    return [checks.Warning("The data folder does not exist and cannot be made.", hint=hint, id="papersite.W002")]
