"""papersite build-snapshot: a snapshot from summaries, bibliographies and files."""

import sqlite3
import sys
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest import BuildError, BuildFolders, build_snapshot
from ingest.entries.report import command_progress
from papers.management import add_input_arguments


class Command(BaseCommand):
    help = "Build a snapshot (paper_snapshot.db and static/) from bibliographies, summary JSON, PDFs or Zotero."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        add_input_arguments(parser)
        parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="where the snapshot goes")
        parser.add_argument("--no-index", action="store_true", help="leave the search index to 'papersite build-index'")
        parser.add_argument("--previous", type=Path, metavar="FOLDER", help="an earlier snapshot whose ids stay")

    def handle(
        self,
        *,
        inputs: list[Path],
        out: Path,
        markdown: Path | None,
        translations: Path | None,
        pdf: Path | None,
        zotero: Path | None,
        previous: Path | None,
        no_index: bool = False,
        **options: object,
    ) -> None:
        folders = BuildFolders(markdown, translations, pdf, zotero)
        try:
            report = build_snapshot(inputs, out, folders, previous, command_progress(self.stderr))
        except BuildError as error:
            raise CommandError(str(error)) from None
        except (OSError, sqlite3.Error) as error:
            raise CommandError(f"Nothing was built: {error}") from None
        self.stdout.write(report.describe())
        if not no_index:
            call_command("build_index", out, stdout=self.stdout, stderr=self.stderr)
        if report.skipped:
            sys.exit(1)
