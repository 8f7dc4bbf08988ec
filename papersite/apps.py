"""Registers the app and its checks."""

from django.apps import AppConfig


class PapersiteConfig(AppConfig):
    name = "papersite"

    def ready(self) -> None:
        # Importing registers the checks, and what keeps the database files private. Failed logins are counted in memory
        # that workers share, which must exist before they are forked.
        from papersite import checks, logins, private_files  # noqa: F401
