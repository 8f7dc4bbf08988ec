"""Commands that add papers to a library and remove them, and that list, take back and repeat what was done to it."""

import getpass
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest import (
    BuildError,
    BuildFolders,
    ChangeSettings,
    KnownPaper,
    UpdateReport,
    history,
    known_paper,
    paper_called,
    preview_update,
    redo,
    undo,
)
from ingest.entries.report import command_progress
from ingest.ledger.readings import look_up_once
from ingest.reading.looked_up import write_looked_up
from paper_search.config import ConfigError
from papercore.bibliography.identifiers import Identifier, read_identifier
from papers.library import updates as library
from papers.library.received_files import ReceivedFiles
from papers.snapshot.served import is_demo
from papersite.data import folder as data_folder
from searches.identified_papers import look_up_papers

PAPER = "an id, DOI, arXiv id or BibTeX key"


def add_input_arguments(parser: CommandParser, others: str = "") -> None:
    """The inputs of a build or an update, and the folders of its papers' files."""
    inputs = f"files, folders of PDFs and bibliographies, Zotero's data folder{others}"
    parser.add_argument("inputs", nargs="*", type=Path, metavar="INPUT", help=inputs)
    parser.add_argument("--markdown", type=Path, metavar="DIR", help="sources: <stem>.md")
    parser.add_argument("--translations", type=Path, metavar="DIR", help="translations: <stem>.<lang>.md")
    parser.add_argument("--pdf", type=Path, metavar="DIR", help="PDFs, read and matched to the papers")
    parser.add_argument("--zotero", type=Path, metavar="DIR", help="Zotero's data folder, with zotero.sqlite")
    add_zotero_base_argument(parser)


def add_zotero_base_argument(parser: CommandParser) -> None:
    base = "where the PDFs are that Zotero links to: its base directory for linked attachments"
    parser.add_argument("--zotero-base", type=Path, metavar="DIR", help=base)


def command_user() -> str:
    """Who gives a command, as the history says it."""
    try:
        return f"command ({getpass.getuser()})"
    except (OSError, KeyError):  # an account without a name, as in some containers
        return "command"


class LibraryCommand(BaseCommand):
    """About the library that is named, or else the one that is served."""

    requires_system_checks = ()

    def add_library_argument(self, parser: CommandParser) -> None:
        parser.add_argument("--library", type=Path, metavar="FOLDER", help="the library (default: the one served)")

    def add_preview_argument(self, parser: CommandParser) -> None:
        parser.add_argument("--preview", action="store_true", help="say what would be changed, and change nothing")

    @contextmanager
    def library_at(self, folder: Path | None) -> Iterator[Path]:
        """What goes wrong with the library ends the command with one line."""
        try:
            yield folder or library.own_library()
        except BuildError as error:
            raise CommandError(str(error)) from None

    def how(self) -> ChangeSettings:
        return library.change_settings(command_progress(self.stderr), command_user())

    def show(self, report: UpdateReport, *, in_full: bool = False) -> None:
        """Each paper on a line, then the counts."""
        for line in report.details(in_full=in_full):
            self.stdout.write(line)
        self.stdout.write(report.describe())

    def fill_index(self, folder: Path) -> None:
        library.fill_index(folder, command_progress(self.stderr))


class AddPapers(LibraryCommand):
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
        if not options["library"]:
            data_folder.make(Path(settings.DATA))
        with self.library_at(options["library"]) as folder, TemporaryDirectory() as temporary:
            received = self._receive(inputs, Path(temporary))
            left_out = list(received.problems)
            paths = self._look_up(folder, received, left_out)
            if inputs and not paths:
                raise BuildError("; ".join(left_out) or "There was nothing in it that can be added.")
            for problem in left_out:
                self.stderr.write(problem)
            if preview:
                report = preview_update(folder, paths, (), folders, command_progress(self.stderr))
            else:
                said = " ".join([*(path.name for path in received.paths), *map(str, received.identifiers)])
                progress = command_progress(self.stderr)
                report = library.update(folder, paths, (), folders, progress, command_user(), said)
        report.skipped += len(left_out)
        self.show(report, in_full=preview)
        if not preview:
            self.fill_index(folder)
            if is_demo() and not options["library"]:
                self.stderr.write("papersite shows your papers instead of the demo from now on.")
        if report.skipped:
            sys.exit(1)

    def _receive(self, inputs: Sequence[Path], folder: Path) -> ReceivedFiles:
        """Files as they are, archives unpacked, and the identifiers among the inputs and in lists."""
        received = ReceivedFiles(folder)
        named: list[Path] = []
        identifiers: list[Identifier] = []
        for path in inputs:
            # pathlib makes one stroke of two.
            text = str(path).replace(":/", "://")
            if not path.exists():
                if identifier := read_identifier(text):
                    identifiers.append(identifier)
                else:
                    received.problems.append(f"{text} is neither a file or folder nor a DOI, arXiv id or PMID.")
            elif path.suffix.lower() in (".txt", ".csv", ".zip") and path.is_file():
                with path.open("rb") as stream:
                    received.add(path.name, stream)
            else:
                named.append(path)
        received.paths = [*named, *received.paths]
        received.identifiers = list(dict.fromkeys([*identifiers, *received.identifiers]))
        return received

    def _look_up(self, folder: Path, received: ReceivedFiles, left_out: list[str]) -> list[Path]:
        """All that is to be read: the files, and what sources say of the identifiers."""
        if not received.identifiers:
            return received.paths
        try:
            found = look_up_once(folder, received.identifiers, look_up_papers)
        except ConfigError as error:
            raise BuildError(error.message) from None
        for stub in found.stubs:
            self.stderr.write(stub)
        left_out += found.left_out
        return [*received.paths, *([write_looked_up(received.folder, found.papers)] if found.papers else [])]


class RemovePapers(LibraryCommand):
    help = "Remove papers from a library. The site takes the new version up without a restart."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("papers", nargs="+", metavar="PAPER", help=PAPER)
        self.add_library_argument(parser)
        self.add_preview_argument(parser)

    def handle(self, *, papers: list[str], preview: bool = False, **options: Path | None) -> None:
        progress = command_progress(self.stderr)
        with self.library_at(options["library"]) as folder:
            if preview:
                report = preview_update(folder, (), papers, None, progress)
            else:
                report = library.update(folder, (), papers, None, progress, command_user())
        self.show(report)
        if not preview:
            self.fill_index(folder)


class Undo(LibraryCommand):
    help = "Take back the last operation on a library, or the one that is named by its number."
    act = staticmethod(undo)
    said = "undone"

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
            done = self.act(folder, operation, settings=self.how())
            self.stdout.write(f"{folder}: {self.said}. {done.describe()}")
            self.fill_index(folder)


class Redo(Undo):
    help = "Make again what was taken back last, or the operation that is named by its number."
    act = staticmethod(redo)
    said = "done again"


class History(LibraryCommand):
    help = "List what was done to a library, the last first; or what is known of a paper, from where, and its history."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paper", nargs="?", metavar="PAPER", help=PAPER)
        self.add_library_argument(parser)

    def handle(self, *, paper: str | None = None, **options: Path | None) -> None:
        with self.library_at(options["library"]) as folder:
            if paper is None:
                for operation in history(folder):
                    self.stdout.write(operation.describe())
            elif known := known_paper(folder, paper_called(folder, paper)):
                for line in _described(known):
                    self.stdout.write(line)


def _described(paper: KnownPaper) -> Iterator[str]:
    """Its fields and who says so, its numbered sources, which a split names, and what was done to it."""
    yield f"{paper.paper_id} {paper.title}"
    for origin in paper.origins():
        says = [f"corrected by operation {origin.corrected_by}"] if origin.corrected_by else []
        says += origin.agree
        says += [f"not {source}: {_one_line(value) or 'nothing'}" for source, value in origin.differ]
        yield f"    {origin.name}: {_one_line(origin.value) or 'nothing'} ({', '.join(says)})"
    yield "Sources:"
    yield from (f"    {source.entry} {source.name}" for source in paper.sources if source.entry)
    yield "History:"
    yield from (f"    {operation.describe()}" for operation in paper.operations)


def _one_line(value: str) -> str:
    return value.replace("\n", "; ")
