"""Registers the app and its checks."""

from django.apps import AppConfig


class PapersiteConfig(AppConfig):
    name = "papersite"

    def ready(self) -> None:
        # Importing registers the checks, and what keeps the database files private.
        from papersite import checks  # noqa: F401
        from papersite.data import database  # noqa: F401
        from papersite.logins import failures

        # Counted in memory that workers share, which must exist before they are forked.
        failures()
