"""Registers the app, its checks, and the moment at which a replaced snapshot is noticed."""

from django.apps import AppConfig


class PapersConfig(AppConfig):
    name = "papers"

    def ready(self) -> None:
        from django.core.signals import request_started

        from papers import checks  # noqa: F401 (importing registers the checks)
        from papers.snapshot import served

        request_started.connect(served.renew, dispatch_uid="papers.snapshot.served.renew")
