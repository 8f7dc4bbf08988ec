"""What the site leaves out around requests is not needed."""

from django.conf import settings
from django.db import connections


def test_no_connection_expires_between_two_requests() -> None:
    assert all(connection.settings_dict["CONN_MAX_AGE"] in (0, None) for connection in connections.all())


def test_no_cache_has_connections() -> None:
    assert {cache["BACKEND"] for cache in settings.CACHES.values()} == {"django.core.cache.backends.locmem.LocMemCache"}
