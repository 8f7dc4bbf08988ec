"""Registers the app and its checks."""

from django.apps import AppConfig


class SpecsConfig(AppConfig):
    name = "specs"

    def ready(self) -> None:
        from specs import checks  # noqa: F401 (importing registers the checks)
