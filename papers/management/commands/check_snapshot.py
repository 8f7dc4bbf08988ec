"""papersite check-snapshot: what a snapshot holds, and what is wrong with it."""

import sys
from pathlib import Path

from django.conf import settings

from ingest.checking import check_snapshot
from ingest.entries.report import command_progress
from papers.management import SnapshotCommand


class Command(SnapshotCommand):
    help = "Check a snapshot: counts, optional features, dangling or broken assets, index. Exit code 1 on problems."

    def handle(self, *, path: Path | None, **options: object) -> None:
        snapshot = self.snapshot_at(path)
        progress, model = command_progress(self.stderr), str(settings.SEARCH_MODEL)
        report = check_snapshot(snapshot.database, snapshot.asset_folder, model, progress)
        self.stdout.write(report.describe())
        for problem in report.problems:
            self.stderr.write(problem)
        if report.problems:
            sys.exit(1)
