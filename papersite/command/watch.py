"""The command that keeps a library in step with folders."""

import signal
from argparse import ArgumentTypeError
from functools import partial
from pathlib import Path
from threading import Event

from django.core.management.base import CommandError, CommandParser

from ingest import BuildFolders, UpdateReport
from ingest.entries.report import command_progress
from ingest.watching.scan import only_watcher
from ingest.watching.watcher import WATCH_LONGEST_SECONDS, Watcher
from papers.library import updates as library
from papersite.command.library import LibraryCommand, add_zotero_base_argument

# How long to wait between two looks.
WATCH_SECONDS = 2.0
WATCH_SHORTEST_SECONDS = 0.1
# How long a watcher waits for another update before it tries again.
WATCH_BUSY_SECONDS = 5.0


class WatchLibrary(LibraryCommand):
    help = "Watch folders, and bring bibliographies and PDFs that appear, change and go into a library. TERM ends it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "folders", nargs="+", type=Path, metavar="DIR", help="bibliographies and PDFs, or Zotero's data folder"
        )
        add_zotero_base_argument(parser)
        self.add_library_argument(parser)
        parser.add_argument(
            "--seconds",
            type=_seconds,
            default=WATCH_SECONDS,
            help=f"between two looks (default: {WATCH_SECONDS:g}); a file is read when two looks see it alike",
        )

    def handle(
        self, *, folders: list[Path], seconds: float, zotero_base: Path | None = None, **options: Path | None
    ) -> None:
        for folder in (*folders, *([zotero_base] if zotero_base else [])):
            if not folder.is_dir():
                raise CommandError(f"{folder} is not a folder.")
        end = Event()
        linked = BuildFolders(zotero_base=zotero_base)
        update = partial(library.follow, folders=linked, wait_seconds=WATCH_BUSY_SECONDS)
        with self.library_at(options["library"]) as folder, only_watcher(folder):
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda number, frame: end.set())
            self.say(f"Watching {', '.join(map(str, folders))} for {folder}.")
            Watcher(folder, folders, update, self, command_progress(self.stderr), end).run(seconds)
        self.say("Ended.")

    def updated(self, report: UpdateReport) -> None:
        for line in (*report.details(), report.describe()):
            self.say(line)

    def say(self, message: str) -> None:
        self.stdout.write(message)
        # A log shows it at once.
        self.stdout.flush()


def _seconds(text: str) -> float:
    shortest, longest = WATCH_SHORTEST_SECONDS, WATCH_LONGEST_SECONDS
    if not (text.replace(".", "", 1).isdecimal() and shortest <= float(text) <= longest):
        raise ArgumentTypeError(f"name seconds from {shortest:g} to {longest:g}")
    return float(text)
