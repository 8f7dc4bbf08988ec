"""papersite build-index: the search index beside a snapshot."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from ingest import BuildError
from ingest.entries.report import command_progress
from ingest.index_state import verified_state_of
from papercore.retrieval import EngineFailed, IndexBusy
from papercore.snapshot.file import BadSnapshot
from papercore.snapshot.layout import index_beside
from papers.library import index_build
from papers.management import SnapshotCommand
from papers.snapshot.assets import store_at
from papers.snapshot.index import indexes_of


class Command(SnapshotCommand):
    help = "Build the search index of a snapshot, by words and by meaning. The site takes it up without a restart."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--if-needed", action="store_true", help="keep an index that fits the snapshot")
        parser.add_argument("--no-fill", action="store_true", help="leave sentence vectors to 'papersite fill-index'")

    def handle(self, *, path: Path | None, if_needed: bool = False, no_fill: bool = False, **options: object) -> None:
        snapshot = self.snapshot_at(path)
        progress = command_progress(self.stderr)
        try:
            build_id = index_build.facts_of(snapshot.database).build_id
            state = verified_state_of(indexes_of(snapshot.database), build_id).status if if_needed else ""
            if state not in ("ready", "filling"):
                report = index_build.build(snapshot.database, store_at(snapshot.assets), progress)
                place = "search cluster" if settings.SEARCH_CLUSTER else index_beside(snapshot.database)
                embedded = f"{report.embedded:,} of them embedded anew"
                self.stdout.write(f"{place}: {report.documents:,} papers indexed, {embedded}.")
            if not no_fill and (added := index_build.fill(snapshot.database, progress)):
                self.stdout.write(f"{added:,} sentence vectors added.")
        except (BadSnapshot, BuildError, IndexBusy, EngineFailed) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"No index was built: {error}") from None
