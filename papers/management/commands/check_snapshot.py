"""manage.py check_snapshot: what a snapshot holds, and what is wrong with it."""

import sys
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from papers.build.progress import Bars, PlainLines, Progress
from papers.build.publish import ASSETS, DATABASE
from papers.check.snapshot import CheckReport, check_snapshot


class Command(BaseCommand):
    help = "Check a snapshot: counts, optional features, dangling or broken assets, index. Exit code 1 on problems."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", nargs="?", type=Path, metavar="PATH", help="a snapshot's folder or file (default: the one served)"
        )

    def handle(self, *, path: Path | None, **options: object) -> None:
        database, assets = located(path)
        report = check_snapshot(database, assets, self._progress())
        self.stdout.write(describe(report, assets))
        for problem in report.problems:
            self.stderr.write(problem)
        if report.problems:
            sys.exit(1)

    def _progress(self) -> Progress:
        if self.stderr.isatty():
            return Bars(sys.stderr)
        return PlainLines(lambda message: self.stderr.write(message))


def located(path: Path | None) -> tuple[Path, Path | None]:
    """The database and its asset folder; no folder when the assets come from a URL."""
    if path is None:
        return Path(settings.SNAPSHOT), None if "://" in settings.ASSETS else Path(settings.ASSETS)
    database = path / DATABASE if path.is_dir() else path
    return database, database.parent / ASSETS


def describe(report: CheckReport, assets: Path | None) -> str:
    lines = [f"Snapshot             {report.database}"]
    if report.facts:
        lines.append(f"Build                {report.facts.build_id}, {report.facts.built_at}")
    lines.extend(f"{name:<20} {count:,}" for name, count in report.counts.items())
    lines.extend(f"{name:<20} {'yes' if there else 'no'}" for name, there in report.features.items())
    lines.append(f"{'assets':<20} {assets or 'not checked: they come from a URL'}")
    lines.append(f"{'search index':<20} {report.index}")
    lines.append(f"{'problems':<20} {len(report.problems):,}")
    return "\n".join(lines)
