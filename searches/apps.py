"""The app's configuration."""

from django.apps import AppConfig


class SearchesConfig(AppConfig):
    name = "searches"

    def ready(self) -> None:
        from searches.answers.worker import answer_calls
        from searches.sessions.calls import session_calls

        # Counted in memory that workers share, which must exist before they are forked.
        session_calls()
        answer_calls()
