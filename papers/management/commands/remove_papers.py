"""papersite remove-papers: papers out of a library."""

from pathlib import Path

from django.core.management.base import CommandParser

from ingest import preview_update
from ingest.entries.report import command_progress
from papers.library import updates as library
from papers.management import UpdateCommand


class Command(UpdateCommand):
    help = "Remove papers from a library. The site takes the new version up without a restart."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("papers", nargs="+", metavar="PAPER", help="an id, DOI, arXiv id or BibTeX key")
        self.add_library_argument(parser)
        self.add_preview_argument(parser)

    def handle(self, *, papers: list[str], preview: bool = False, **options: Path | None) -> None:
        change = preview_update if preview else library.update
        with self.library_at(options["library"]) as folder:
            report = change(folder, (), papers, None, command_progress(self.stderr))
        self.show(report)
        if not preview:
            library.fill_index(folder, command_progress(self.stderr))
