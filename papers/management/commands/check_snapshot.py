"""papersite check-snapshot: what a snapshot holds, and what is wrong with it."""

import sys
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from ingest.checking import check_snapshot
from ingest.progress import command_progress
from papers.snapshot.served import location_of, served_location


class Command(BaseCommand):
    help = "Check a snapshot: counts, optional features, dangling or broken assets, index. Exit code 1 on problems."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", nargs="?", type=Path, metavar="PATH", help="a snapshot's folder or file (default: the one served)"
        )

    def handle(self, *, path: Path | None, **options: object) -> None:
        snapshot = location_of(path) if path else served_location()
        progress, model = command_progress(self.stderr), str(settings.SEARCH_MODEL)
        report = check_snapshot(snapshot.database, snapshot.asset_folder, model, progress)
        self.stdout.write(report.describe())
        for problem in report.problems:
            self.stderr.write(problem)
        if report.problems:
            sys.exit(1)
