"""papersite add-papers: papers of bibliographies, PDFs and other files into a library that is there."""

import sys
from pathlib import Path

from django.core.management.base import CommandParser

from ingest import BuildFolders, preview_update
from ingest.entries.report import command_progress
from papers.library import updates as library
from papers.management import UpdateCommand, add_input_arguments


class Command(UpdateCommand):
    help = "Add papers to a library, or change those it has. The site takes the new version up without a restart."

    def add_arguments(self, parser: CommandParser) -> None:
        add_input_arguments(parser)
        self.add_library_argument(parser)
        self.add_preview_argument(parser)

    def handle(
        self,
        *,
        inputs: list[Path],
        markdown: Path | None = None,
        translations: Path | None = None,
        pdf: Path | None = None,
        zotero: Path | None = None,
        preview: bool = False,
        **options: Path | None,
    ) -> None:
        folders = BuildFolders(markdown, translations, pdf, zotero)
        change = preview_update if preview else library.update
        with self.library_at(options["library"]) as folder:
            report = change(folder, inputs, (), folders, command_progress(self.stderr))
        self.show(report)
        if not preview:
            library.fill_index(folder, command_progress(self.stderr))
        if report.skipped:
            sys.exit(1)
