"""Registers the app and its checks."""

from django.apps import AppConfig
from django.urls import reverse


class PapersiteConfig(AppConfig):
    name = "papersite"

    def ready(self) -> None:
        # Importing registers the checks, and what keeps the database files private.
        from papers.pages import caching
        from papersite import checks  # noqa: F401
        from papersite.data import database  # noqa: F401
        from papersite.logins import failures
        from searches.answers.offer import offer
        from searches.pending import pending_searches

        # Counted in memory that workers share, which must exist before they are forked.
        failures()
        # The page of a question is another one once a model is configured.
        caching.other_contents.append(lambda request: offer(request) if request.path_info == reverse("ask") else "")
        caching.other_contents.append(lambda request: " ".join(row.pk for row in pending_searches(request)))
