"""Commands that change a library."""

import json
import signal
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest import (
    BuildError,
    BuildFolders,
    UpdateReport,
    edit_paper,
    history,
    merge_papers,
    preview_update,
    redo,
    undo,
)
from ingest.entries.report import command_progress
from ingest.matching.corrections import FIELDS, corrections_of
from ingest.watching.scan import only_watcher
from ingest.watching.watcher import Watcher
from paper_search.config import ConfigError, load_config
from papercore import limits
from papercore.bibliography.identifiers import read_identifier
from papers.library import updates as library
from papers.library.received_files import ReceivedFiles
from papers.snapshot.served import is_demo
from papersite.data import folder as data_folder
from searches.identified_papers import identified_papers


def add_input_arguments(parser: CommandParser, others: str = "") -> None:
    """The inputs of a build or an update, and the folders of its papers' files."""
    inputs = f"files, folders of PDFs and bibliographies, Zotero's data folder{others}"
    parser.add_argument("inputs", nargs="*", type=Path, metavar="INPUT", help=inputs)
    parser.add_argument("--markdown", type=Path, metavar="DIR", help="sources: <stem>.md")
    parser.add_argument("--translations", type=Path, metavar="DIR", help="translations: <stem>.<lang>.md")
    parser.add_argument("--pdf", type=Path, metavar="DIR", help="PDFs, read and matched to the papers")
    parser.add_argument("--zotero", type=Path, metavar="DIR", help="Zotero's data folder, with zotero.sqlite")
    base = "where the PDFs are that Zotero links to: its base directory for linked attachments"
    parser.add_argument("--zotero-base", type=Path, metavar="DIR", help=base)


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
            yield folder or library.own_library()
        except BuildError as error:
            raise CommandError(str(error)) from None

    def show(self, report: UpdateReport) -> None:
        """Each paper on a line, then the counts."""
        for line in report.details():
            self.stdout.write(line)
        self.stdout.write(report.describe())


class AddPapers(UpdateCommand):
    help = "Add papers to a library, or change those it has. The site takes the new version up without a restart."

    def add_arguments(self, parser: CommandParser) -> None:
        add_input_arguments(parser, ", archives; DOIs, arXiv ids and PMIDs, which are looked up, or text files of them")
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
        zotero_base: Path | None = None,
        preview: bool = False,
        **options: Path | None,
    ) -> None:
        folders = BuildFolders(markdown, translations, pdf, zotero, zotero_base)
        change = preview_update if preview else library.update
        if not options["library"]:
            data_folder.make(Path(settings.DATA))
        with self.library_at(options["library"]) as folder, TemporaryDirectory() as temporary:
            brought, left_out = self._bring(inputs, Path(temporary))
            report = change(folder, brought, (), folders, command_progress(self.stderr))
        report.skipped += left_out
        self.show(report)
        if not preview:
            library.fill_index(folder, command_progress(self.stderr))
            if is_demo() and not options["library"]:
                self.stderr.write("papersite shows your papers instead of the demo from now on.")
        if report.skipped:
            sys.exit(1)

    def _bring(self, inputs: Sequence[Path], folder: Path) -> tuple[list[Path], int]:
        """Inputs as files: identifiers as what sources say of them, archives unpacked; and how many gave nothing."""
        received = ReceivedFiles(folder)
        others = []
        for path in inputs:
            # pathlib makes one stroke of two.
            identifier = None if path.exists() else read_identifier(str(path).replace(":/", "://"))
            if identifier:
                received.identifiers.append(identifier)
            elif path.suffix.lower() in (".txt", ".csv", ".zip") and path.is_file():
                with path.open("rb") as stream:
                    received.add(path.name, stream)
            else:
                others.append(path)
        if received.identifiers:
            try:
                looked_up = identified_papers(list(dict.fromkeys(received.identifiers)), load_config())
            except ConfigError as error:
                raise BuildError(error.message) from None
            received.problems += looked_up.notes
            if looked_up.items:
                received.paths.append(folder / "identifiers.json")
                received.paths[-1].write_text(json.dumps(looked_up.items, ensure_ascii=False), encoding="utf-8")
        for problem in received.problems:
            self.stderr.write(problem)
        if inputs and not (others or received.paths):
            raise BuildError("There was nothing in it that can be added.")
        return [*others, *received.paths], len(received.problems)


class RemovePapers(UpdateCommand):
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


class Undo(UpdateCommand):
    help = "Take back the last operation on a library, or the one that is named by its number."
    act = staticmethod(undo)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("operation", nargs="?", type=int, metavar="NUMBER", help="as 'papersite history' lists it")
        self.add_library_argument(parser)
        parser.add_argument("--list", action="store_true", help="list what was done, the last first")

    def handle(self, *, operation: int | None = None, list: bool = False, **options: Path | None) -> None:  # noqa: A002
        with self.library_at(options["library"]) as folder:
            if list:
                for each in history(folder):
                    self.stdout.write(each.describe())
                return
            done = self.act(folder, operation, settings=library.change_settings(command_progress(self.stderr)))
            self.stdout.write(f"{folder}: {self.said}. {done.describe()}")
            library.fill_index(folder, command_progress(self.stderr))

    said = "undone"


class Redo(Undo):
    help = "Make again what was taken back last, or the operation that is named by its number."
    act = staticmethod(redo)
    said = "done again"


class History(UpdateCommand):
    help = "List what was done to a library, the last first."

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_library_argument(parser)

    def handle(self, **options: Path | None) -> None:
        with self.library_at(options["library"]) as folder:
            for operation in history(folder):
                self.stdout.write(operation.describe())


class Edit(UpdateCommand):
    help = "Correct fields of a paper. A correction outlives every import; 'papersite undo' takes it back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paper", metavar="PAPER", help="an id, DOI, arXiv id or BibTeX key")
        fields = f"one of {', '.join(FIELDS)}; several authors, keywords or tags are separated by semicolons"
        parser.add_argument("fields", nargs="+", metavar="FIELD=VALUE", help=fields)
        self.add_library_argument(parser)

    def handle(self, *, paper: str, fields: list[str], **options: Path | None) -> None:
        given = dict(text.partition("=")[::2] for text in fields)
        with self.library_at(options["library"]) as folder:
            report = edit_paper(
                folder, paper, corrections_of(given), settings=library.change_settings(command_progress(self.stderr))
            )
        self.show(report)
        library.fill_index(folder, command_progress(self.stderr))


class Merge(UpdateCommand):
    help = "Say that several papers of a library are one; it keeps the id of the oldest."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("papers", nargs="+", metavar="PAPER", help="two or more: id, DOI, arXiv id or BibTeX key")
        self.add_library_argument(parser)

    def handle(self, *, papers: list[str], **options: Path | None) -> None:
        with self.library_at(options["library"]) as folder:
            report = merge_papers(folder, papers, settings=library.change_settings(command_progress(self.stderr)))
        self.show(report)
        library.fill_index(folder, command_progress(self.stderr))


# How long to wait between two looks.
WATCH_SECONDS = 2.0
WATCH_SHORTEST_SECONDS = 0.1
# How long a watcher waits for another update before it tries again.
WATCH_BUSY_SECONDS = 5.0


class WatchLibrary(UpdateCommand):
    help = "Watch folders, and bring bibliographies and PDFs that appear, change and go into a library. TERM ends it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "folders", nargs="+", type=Path, metavar="DIR", help="bibliographies and PDFs, or Zotero's data folder"
        )
        self.add_library_argument(parser)
        parser.add_argument(
            "--seconds",
            type=_seconds,
            default=WATCH_SECONDS,
            help=f"between two looks (default: {WATCH_SECONDS:g}); a file is read when two looks see it alike",
        )

    def handle(self, *, folders: list[Path], seconds: float, **options: Path | None) -> None:
        missing = [folder for folder in folders if not folder.is_dir()]
        if missing:
            raise CommandError(f"{missing[0]} is not a folder.")
        end = Event()
        update = partial(library.follow, wait_seconds=WATCH_BUSY_SECONDS)
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
    shortest, longest = WATCH_SHORTEST_SECONDS, limits.WATCH_LONGEST_SECONDS
    if not (text.replace(".", "", 1).isdecimal() and shortest <= float(text) <= longest):
        raise ArgumentTypeError(f"name seconds from {shortest:g} to {longest:g}")
    return float(text)
