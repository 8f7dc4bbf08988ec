"""Registers the app and its checks."""

from django.apps import AppConfig


class PapersiteConfig(AppConfig):
    name = "papersite"

    def ready(self) -> None:
        # Importing registers the checks, and what keeps the database files private. Failed logins are counted in memory
        # that workers share, which must exist before they are forked.
        from papers.pages import caching
        from papersite import checks, logins, private_files  # noqa: F401
        from searches.pending import pending_searches

        caching.other_contents.append(lambda request: " ".join(row.pk for row in pending_searches(request)))
