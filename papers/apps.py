"""Registers the app, its checks, and the moment at which a replaced snapshot is noticed."""

from django.apps import AppConfig


class PapersConfig(AppConfig):
    name = "papers"

    def ready(self) -> None:
        from django.core.signals import request_started

        from papers import checks, snapshot  # noqa: F401 (importing registers the checks)

        request_started.connect(snapshot.renew, dispatch_uid="papers.snapshot.renew")
