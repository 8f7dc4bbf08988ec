"""Commands about search sessions, and about papers looked up at their sources."""

import json
import sys
from datetime import timedelta
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from paper_search.config import ConfigError, load_config
from papercore import limits
from papercore.bibliography.identifiers import read_identifiers
from searches.identified_papers import identified_papers
from searches.models import OPEN, SearchSession
from searches.sessions import store


class ExpireSessions(BaseCommand):
    help = "End search sessions that nobody decided in time, and delete those that ended long ago."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--keep-days", type=int, default=90, help="how long ended sessions are kept (default 90)")

    def handle(self, *, keep_days: int, **options: object) -> None:
        expired = store.expire(SearchSession.objects.all())
        old = SearchSession.objects.exclude(status__in=OPEN).filter(
            touched_at__lt=timezone.now() - timedelta(days=keep_days)
        )
        _, deleted = old.delete()
        self.stdout.write(f"{expired} expired, {deleted.get('searches.SearchSession', 0)} deleted.")


class LookUp(BaseCommand):
    help = "Look papers up by DOI, arXiv id, PMID or address (Crossref, arXiv, Europe PMC, OpenAlex)."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", nargs="+", metavar="NAME", help="identifiers, or text files of them")
        parser.add_argument(
            "--out", required=True, type=Path, metavar="FILE.json", help="where the papers go, as CSL-JSON"
        )
        parser.add_argument("--offline", action="store_true", help="ask nobody: a stub for each")

    def handle(self, *, names: list[str], out: Path, offline: bool, **options: object) -> None:
        listed = read_identifiers("\n".join(_content(name) for name in names))
        for word in listed.unknown:
            self.stderr.write(f"{word}: neither a DOI, an arXiv id, a PMID nor the address of a paper")
        if listed.cut:
            self.stderr.write(f"Only the first {limits.IDENTIFIERS} identifiers are looked up.")
        if not listed.identifiers:
            raise CommandError("Nothing to look up.")
        try:
            papers = identified_papers(listed.identifiers, load_config(), offline=offline)
        except ConfigError as error:
            raise CommandError(error.message) from None
        for note in papers.notes:
            self.stderr.write(note)
        if not papers.papers:
            raise CommandError("No paper was found; nothing was written.")
        items = [paper.item for paper in papers.papers]
        out.write_text(json.dumps(items, ensure_ascii=False, indent=1), encoding="utf-8")
        stubs = len(papers.stubs)
        self.stdout.write(f"{out}: {len(items) - stubs:,} papers found, {stubs:,} stubs.")
        if papers.notes or listed.unknown:
            sys.exit(1)


def _content(name: str) -> str:
    """The text of a file of that name; else the name itself."""
    path = Path(name)
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else name
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from None
