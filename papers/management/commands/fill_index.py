"""papersite fill-index: the sentence vectors that the search index lacks."""

import os
from pathlib import Path

from django.core.management.base import CommandError

from ingest.entries.report import command_progress
from papercore.retrieval import EngineFailed, IndexBusy
from papers.library import index_build
from papers.management import SnapshotCommand

# The site answers first.
NICENESS = 10


class Command(SnapshotCommand):
    help = (
        "Add the sentence vectors that the index lacks, newest papers first. It can be ended at any time and goes on."
    )

    def run_from_argv(self, argv: list[str]) -> None:
        if hasattr(os, "nice"):
            os.nice(NICENESS)
        super().run_from_argv(argv)

    def handle(self, *, path: Path | None, **options: object) -> None:
        snapshot = self.snapshot_at(path)
        try:
            added = index_build.fill(snapshot.database, command_progress(self.stderr))
        except (IndexBusy, EngineFailed) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"The index was not filled: {error}") from None
        self.stdout.write(f"{added:,} sentence vectors added.")
