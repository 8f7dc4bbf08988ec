"""Registers the app and its checks, and drops what Django does around requests for nothing."""

from django.apps import AppConfig
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.urls import reverse


class PapersiteConfig(AppConfig):
    name = "papersite"

    def ready(self) -> None:
        # Importing registers the checks, and what keeps the database files private.
        from papers.pages import caching
        from papersite import checks, private_files  # noqa: F401
        from papersite.logins import failures
        from searches.answers.offer import offer
        from searches.pending import pending_searches

        # Counted in memory that workers share, which must exist before they are forked.
        failures()
        # The page of a question is another one once a model is configured.
        caching.other_contents.append(lambda request: offer(request) if request.path_info == reverse("ask") else "")
        caching.other_contents.append(lambda request: " ".join(row.pk for row in pending_searches(request)))
        drop_needless_work()


def drop_needless_work() -> None:
    """Each of these looks at every connection, together a tenth of the site's share of a short request."""
    from django.core.cache import close_caches
    from django.db import close_old_connections, reset_queries

    # No cache is used that has connections.
    request_finished.disconnect(close_caches)
    # The end of the request before has closed what must be closed: no connection has an age at which it expires.
    request_started.disconnect(close_old_connections)
    if not settings.DEBUG:
        # Queries are recorded while debugging alone.
        request_started.disconnect(reset_queries)
