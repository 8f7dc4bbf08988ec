"""Commands by which people correct records, say which papers are one, and find what is to be tidied up."""

from pathlib import Path
from typing import get_args

from django.core.management.base import CommandParser

from ingest import (
    Missing,
    attach_pdf,
    edit_paper,
    incomplete_papers,
    likely_duplicates,
    merge_papers,
    split_paper,
    tell_apart,
)
from ingest.matching.corrections import FIELDS, corrections_of
from papersite.command.library import PAPER, LibraryCommand

MISSING: tuple[Missing, ...] = get_args(Missing)


class Edit(LibraryCommand):
    help = "Correct fields of a paper. A correction outlives every import; 'papersite undo' takes it back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paper", metavar="PAPER", help=PAPER)
        fields = f"one of {', '.join(FIELDS)}; several authors, keywords or tags are separated by semicolons"
        parser.add_argument("fields", nargs="+", metavar="FIELD=VALUE", help=fields)
        self.add_library_argument(parser)

    def handle(self, *, paper: str, fields: list[str], **options: Path | None) -> None:
        given = dict(text.partition("=")[::2] for text in fields)
        with self.library_at(options["library"]) as folder:
            self.show(edit_paper(folder, paper, corrections_of(given), settings=self.how()))
        self.fill_index(folder)


class Merge(LibraryCommand):
    help = "Say that several papers of a library are one; it keeps the id of the oldest."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("papers", nargs="+", metavar="PAPER", help=f"two or more, each by {PAPER}")
        self.add_library_argument(parser)

    def handle(self, *, papers: list[str], **options: Path | None) -> None:
        with self.library_at(options["library"]) as folder:
            self.show(merge_papers(folder, papers, settings=self.how()))
        self.fill_index(folder)


class Split(LibraryCommand):
    help = "Say that some sources of a paper are about another one, which becomes a paper of its own."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paper", metavar="PAPER", help=PAPER)
        numbers = "of the sources that are about another paper, as 'papersite history PAPER' lists them"
        parser.add_argument("sources", nargs="+", type=int, metavar="NUMBER", help=numbers)
        self.add_library_argument(parser)

    def handle(self, *, paper: str, sources: list[int], **options: Path | None) -> None:
        with self.library_at(options["library"]) as folder:
            self.show(split_paper(folder, paper, sources, settings=self.how()))
        self.fill_index(folder)


class TellApart(LibraryCommand):
    help = "Say that two papers are not the same, whatever they have in common."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("papers", nargs=2, metavar="PAPER", help=PAPER)
        self.add_library_argument(parser)

    def handle(self, *, papers: list[str], **options: Path | None) -> None:
        with self.library_at(options["library"]) as folder:
            self.show(tell_apart(folder, *papers, settings=self.how()))
            self.stdout.write(f"{folder}: {' and '.join(papers)} are two papers.")


class Attach(LibraryCommand):
    help = "Make a file the PDF of a paper, in place of the one that it has."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paper", metavar="PAPER", help=PAPER)
        parser.add_argument("pdf", type=Path, metavar="FILE.pdf")
        self.add_library_argument(parser)

    def handle(self, *, paper: str, pdf: Path, **options: Path | None) -> None:
        with self.library_at(options["library"]) as folder:
            self.show(attach_pdf(folder, paper, pdf, settings=self.how()))
        self.fill_index(folder)


class Duplicates(LibraryCommand):
    help = "List pairs of papers that may be one: 'papersite merge' or 'papersite tell-apart' decides about each."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--most", type=int, default=20, metavar="N", help="pairs to list (default: 20)")
        self.add_library_argument(parser)

    def handle(self, *, most: int, **options: Path | None) -> None:
        with self.library_at(options["library"]) as folder:
            pairs, total = likely_duplicates(folder, count=max(0, most))
        for pair in pairs:
            for paper in pair.papers:
                authors = ", ".join(paper.record.authors[:3]) or "nobody named"
                self.stdout.write(f"{paper.paper_id} {paper.record.title} ({authors}, {paper.record.year})")
            self.stdout.write(f"    {pair.differs}")
        self.stdout.write(f"{folder}: {total:,} pairs that may be one.")


class Incomplete(LibraryCommand):
    help = "List papers that lack something, and how many lack what."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("missing", nargs="?", default="authors", choices=MISSING, help="default: authors")
        parser.add_argument("--most", type=int, default=50, metavar="N", help="papers to list (default: 50)")
        self.add_library_argument(parser)

    def handle(self, *, missing: Missing, most: int, **options: Path | None) -> None:
        with self.library_at(options["library"]) as folder:
            papers, counts = incomplete_papers(folder, missing, count=max(0, most))
        for paper in papers:
            self.stdout.write(f"{paper.paper_id} {paper.title}")
        listed = ", ".join(f"{name}: {count:,}" for name, count in counts.items())
        self.stdout.write(f"{folder}: papers without {listed}.")
