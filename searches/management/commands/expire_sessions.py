"""`papersite expire-sessions`: end idle search sessions and delete old ones."""

from datetime import timedelta

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from searches.models import OPEN, SearchSession
from searches.sessions import store


class Command(BaseCommand):
    help = "End search sessions that have been idle for 30 minutes, and delete those that ended long ago."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--keep-days", type=int, default=90, help="how long ended sessions are kept (default 90)")

    def handle(self, *, keep_days: int, **options: object) -> None:
        expired = store.expire(SearchSession.objects.all())
        old = SearchSession.objects.exclude(status__in=OPEN).filter(
            touched_at__lt=timezone.now() - timedelta(days=keep_days)
        )
        _, deleted = old.delete()
        self.stdout.write(f"{expired} expired, {deleted.get('searches.SearchSession', 0)} deleted.")
