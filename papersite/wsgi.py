"""The WSGI application that gunicorn serves."""

import os
from typing import Any

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.urls import resolve

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")


class Request(WSGIRequest):
    """Django raises on some unreadable content types before any handler runs: a bare 500 for whoever sends one."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:  # Any: Django's signature
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # private, so the stubs lack it
        except (LookupError, ValueError):
            self.content_type, self.content_params = "", {}


class Application(WSGIHandler):
    request_class = Request


django.setup(set_prefix=False)
application = Application()
# Loads the addresses and what is behind them: otherwise the first to ask waits for it.
resolve("/healthz")
