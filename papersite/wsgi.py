"""The WSGI application that gunicorn serves."""

import os
from threading import Thread
from typing import Any

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.urls import resolve

from papercore.snapshot.versions import SNAPSHOT_START_SECONDS
from papers.snapshot.base import served_file
from papersite.last_errors import keep_last_errors

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")


class TolerantRequest(WSGIRequest):
    """Django raises on some malformed content types before any handler runs, and the client gets a bare 500."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:  # Any: Django's signature
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # private, so the stubs lack it
        except (LookupError, ValueError):
            self.content_type, self.content_params = "", {}


class Application(WSGIHandler):
    request_class = TolerantRequest


checking = Thread(target=served_file().check_ahead, daemon=True)
checking.start()
# All code is loaded before a server forks its workers, and beside it the snapshot is compared with its checksum.
django.setup(set_prefix=False)
keep_last_errors()
application = Application()
# Loads the addresses and the code behind them, so that the first request need not wait for it.
resolve("/healthz")
checking.join(SNAPSHOT_START_SECONDS)
