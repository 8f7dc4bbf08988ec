"""Registers the app and its checks."""

from django.apps import AppConfig


class PapersiteConfig(AppConfig):
    name = "papersite"

    def ready(self) -> None:
        from papersite import checks  # noqa: F401 (importing registers the checks)
