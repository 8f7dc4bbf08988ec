"""What the library's commands have in common: their arguments, and how they end and report."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest import BuildError, UpdateReport
from papers.library import updates as library
from papers.snapshot.served import SnapshotLocation, location_of, served_location


def add_input_arguments(parser: CommandParser) -> None:
    """The inputs of a build or an update, and the folders of its papers' files."""
    parser.add_argument(
        "inputs", nargs="*", type=Path, metavar="INPUT", help="files, a folder of PDFs, or Zotero's data folder"
    )
    parser.add_argument("--markdown", type=Path, metavar="DIR", help="sources: <stem>.md")
    parser.add_argument("--translations", type=Path, metavar="DIR", help="translations: <stem>.<lang>.md")
    parser.add_argument("--pdf", type=Path, metavar="DIR", help="PDFs, read and matched to the papers")
    parser.add_argument("--zotero", type=Path, metavar="DIR", help="Zotero's data folder, with zotero.sqlite")


class SnapshotCommand(BaseCommand):
    """About the snapshot that is named, or else the one that is served."""

    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", nargs="?", type=Path, metavar="PATH", help="a snapshot's folder or file (default: the one served)"
        )

    def snapshot_at(self, path: Path | None) -> SnapshotLocation:
        return location_of(path) if path else served_location()


class UpdateCommand(BaseCommand):
    """Changes the library that is named, or else the one that is served."""

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
