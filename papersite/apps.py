"""Registers the app, with the system checks of the site itself."""

import os
import stat
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register

from papersite.configuration.files import settings_file

# In the names of settings whose values are secrets.
SECRET_WORDS = ("SECRET", "PASSWORD", "TOKEN", "API_KEY", "_URL")


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
    if settings.SECRET_KEY_KEPT:
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


@register(Tags.security)
def check_settings_file(**_: object) -> list[CheckMessage]:
    """A warning: whoever can write the file decides what the site does, and who can read it knows its secrets."""
    file = settings_file()
    if file.path is None or os.name != "posix":
        return []
    mode = stat.S_IMODE(file.path.stat().st_mode)
    holds_secret = any(word in name for name in file.values for word in SECRET_WORDS)
    if not (mode & 0o022 or (holds_secret and mode & 0o044)):
        return []
    problem = "written" if mode & 0o022 else "read, with its secrets,"
    message = f"papersite.toml can be {problem} by other accounts of this machine (mode {mode:o})."
    return [checks.Warning(message, hint=f"chmod 600 {file.path}", id="papersite.W004")]


@register
def check_data_folder(**_: object) -> list[CheckMessage]:
    """A warning: papers can be read without it, from a folder that is read-only for example."""
    if Path(settings.DATA).is_dir():
        return []
    hint = f"Make the folder {settings.DATA}, or name another one in PAPERSITE_DATA."
    return [checks.Warning("The data folder does not exist and cannot be made.", hint=hint, id="papersite.W002")]
