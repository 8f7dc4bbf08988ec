"""papersite fill-index: the sentence vectors that the search index lacks."""

import os
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest.progress import command_progress
from papercore.retrieval import EngineFailed, IndexBusy
from papers.library import index_build
from papers.snapshot.served import location_of, served_location

# The site answers first.
NICENESS = 10


class Command(BaseCommand):
    help = (
        "Add the sentence vectors that the index lacks, newest papers first. It can be ended at any time and goes on."
    )
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        if hasattr(os, "nice"):
            os.nice(NICENESS)
        super().run_from_argv(argv)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", nargs="?", type=Path, metavar="PATH", help="a snapshot's folder or file (default: the one served)"
        )

    def handle(self, *, path: Path | None, **options: object) -> None:
        snapshot = location_of(path) if path else served_location()
        try:
            added = index_build.fill(snapshot.database, command_progress(self.stderr))
        except (IndexBusy, EngineFailed) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"The index was not filled: {error}") from None
        self.stdout.write(f"{added:,} sentence vectors added.")
