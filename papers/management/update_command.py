"""What the commands that change a library have in common."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest import BuildError, UpdateReport
from papers.library import updates as library


class UpdateCommand(BaseCommand):
    requires_system_checks = ()

    def add_library_argument(self, parser: CommandParser) -> None:
        parser.add_argument("--library", type=Path, metavar="FOLDER", help="the library (default: the one served)")

    def add_preview_argument(self, parser: CommandParser) -> None:
        parser.add_argument("--preview", action="store_true", help="say what would be changed, and change nothing")

    @contextmanager
    def library_at(self, folder: Path | None) -> Iterator[Path]:
        """The library to change; what goes wrong with it ends the command with one line."""
        try:
            yield folder or library.served_library()
        except BuildError as error:
            raise CommandError(str(error)) from None

    def show(self, report: UpdateReport) -> None:
        """Each paper on a line, then the counts."""
        for line in report.details():
            self.stdout.write(line)
        self.stdout.write(report.describe())
