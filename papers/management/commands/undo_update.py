"""papersite undo-update: a library as it was before its last update."""

from pathlib import Path

from django.core.management.base import CommandParser

from ingest import updates_of
from ingest.entries.report import command_progress
from papers.library import updates as library
from papers.management import UpdateCommand


class Command(UpdateCommand):
    help = "Undo the last update of a library, and with another call the one before it."

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_library_argument(parser)
        parser.add_argument("--list", action="store_true", help="list the updates that can be undone, the last first")

    def handle(self, **options: Path | bool | None) -> None:
        named = options["library"]
        with self.library_at(named if isinstance(named, Path) else None) as folder:
            if not options["list"]:
                record = library.undo(folder, command_progress(self.stderr))
                self.stdout.write(f"{folder}: undone. {record.describe()}")
                library.fill_index(folder, command_progress(self.stderr))
                return
        for record in updates_of(folder):
            self.stdout.write(record.describe())
