"""manage.py build_index: the search index beside a snapshot."""

import sys
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from papercore.retrieval import IndexBusy
from papercore.snapshot_file import BadSnapshot
from papers.build.progress import Bars, PlainLines, Progress
from papers.build.publish import ASSETS, DATABASE
from papers.search import index, index_build
from papers.texts import assets
from papers.texts.assets import AssetStore, FolderStore


class Command(BaseCommand):
    help = "Build the search index of a snapshot, by words and by meaning. The site takes it up without a restart."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", nargs="?", type=Path, metavar="PATH", help="a snapshot's folder or file (default: the one served)"
        )
        parser.add_argument("--if-needed", action="store_true", help="leave an index that fits as it is")

    def handle(self, *, path: Path | None, if_needed: bool = False, **options: object) -> None:
        database, store = located(path)
        try:
            build_id = index_build.facts_of(database).build_id
            if if_needed and index.state(database, build_id).status == "ready":
                return
            report = index_build.build(database, store, self._progress())
        except (BadSnapshot, IndexBusy) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"No index was built: {error}") from None
        folder = index.folder_of(database)
        self.stdout.write(f"{folder}: {report.documents:,} papers indexed, {report.embedded:,} of them embedded anew.")

    def _progress(self) -> Progress:
        if self.stderr.isatty():
            return Bars(sys.stderr)
        return PlainLines(lambda message: self.stderr.write(message))


def located(path: Path | None) -> tuple[Path, AssetStore]:
    """The database and its assets."""
    if path is None:
        return Path(settings.SNAPSHOT), assets.store()
    database = path / DATABASE if path.is_dir() else path
    return database, FolderStore(str(database.parent / ASSETS))
