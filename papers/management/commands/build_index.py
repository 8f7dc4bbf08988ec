"""papersite build-index: the search index beside a snapshot."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest import BuildError
from ingest.index_state import verified_state_of
from ingest.progress import TaskProgress, command_progress
from papercore.retrieval import EngineFailed, IndexBusy
from papercore.snapshot.file import BadSnapshot
from papercore.snapshot.layout import index_beside
from papers.library import index_build
from papers.snapshot.assets import store_at
from papers.snapshot.index import indexes_of
from papers.snapshot.served import SnapshotLocation, location_of, served_location


class Command(BaseCommand):
    help = "Build the search index of a snapshot, by words and by meaning. The site takes it up without a restart."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", nargs="?", type=Path, metavar="PATH", help="a snapshot's folder or file (default: the one served)"
        )
        parser.add_argument("--if-needed", action="store_true", help="keep an index that fits the snapshot")
        parser.add_argument("--no-fill", action="store_true", help="leave sentence vectors to 'papersite fill-index'")

    def handle(self, *, path: Path | None, if_needed: bool = False, no_fill: bool = False, **options: object) -> None:
        snapshot = location_of(path) if path else served_location()
        progress = command_progress(self.stderr)
        try:
            build_id = index_build.facts_of(snapshot.database).build_id
            state = verified_state_of(indexes_of(snapshot.database), build_id).status if if_needed else ""
            if state not in ("ready", "filling"):
                self._build(snapshot, progress)
            if not no_fill and (added := index_build.fill(snapshot.database, progress)):
                self.stdout.write(f"{added:,} sentence vectors added.")
        except (BadSnapshot, BuildError, IndexBusy, EngineFailed) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"No index was built: {error}") from None

    def _build(self, snapshot: SnapshotLocation, progress: TaskProgress) -> None:
        report = index_build.build(snapshot.database, store_at(snapshot.assets), progress)
        place = "search cluster" if settings.SEARCH_CLUSTER else index_beside(snapshot.database)
        self.stdout.write(f"{place}: {report.documents:,} papers indexed, {report.embedded:,} of them embedded anew.")
