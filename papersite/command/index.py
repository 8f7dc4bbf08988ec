"""Commands that build and check: snapshots, their indexes and that of the specs, and what is read by OCR."""

import os
import sqlite3
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from ingest import BuildError, BuildFolders, LibraryBusy, build_snapshot
from ingest.checking import check_snapshot
from ingest.entries.report import command_progress
from ingest.index_state import verified_state_of
from ingest.recognising import can_recognise, recognise
from papercore.retrieval import EngineFailed, IndexBusy
from papercore.snapshot.file import BadSnapshot, index_beside
from papers.library import index_build
from papers.library import updates as library
from papers.snapshot.assets import store_at
from papers.snapshot.served import SnapshotLocation, indexes_of, location_of, served_location
from papersite.command.commands import call_command
from papersite.command.library import LibraryCommand, add_input_arguments
from specs import core
from specs.reading.catalogue import current_catalogue
from specs.reading.files import Project
from specs.search.index import build, load, save
from specs.search.search import sentence_model, word_embedder


class BuildSnapshot(BaseCommand):
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
        zotero_base: Path | None = None,
        no_index: bool = False,
        **options: object,
    ) -> None:
        folders = BuildFolders(markdown, translations, pdf, zotero, zotero_base)
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


class SnapshotCommand(BaseCommand):
    """About the snapshot that is named, or else the one that is served."""

    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", nargs="?", type=Path, metavar="PATH", help="a snapshot's folder or file (default: the one served)"
        )

    def snapshot_at(self, path: Path | None) -> SnapshotLocation:
        return location_of(path) if path else served_location()


class BuildIndex(SnapshotCommand):
    help = "Build the search index of a snapshot, by words and by meaning. The site takes it up without a restart."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--if-needed", action="store_true", help="keep an index that fits the snapshot")
        parser.add_argument("--no-fill", action="store_true", help="leave sentence vectors to 'papersite fill-index'")

    def handle(self, *, path: Path | None, if_needed: bool = False, no_fill: bool = False, **options: object) -> None:
        snapshot = self.snapshot_at(path)
        progress = command_progress(self.stderr)
        try:
            build_id = index_build.facts_of(snapshot.database).build_id
            state = verified_state_of(indexes_of(snapshot.database), build_id).status if if_needed else ""
            if state not in ("ready", "filling"):
                report = index_build.build(snapshot.database, store_at(snapshot.assets), progress)
                place = "search cluster" if settings.SEARCH_CLUSTER else index_beside(snapshot.database)
                embedded = f"{report.embedded:,} of them embedded anew"
                self.stdout.write(f"{place}: {report.documents:,} papers indexed, {embedded}.")
            if not no_fill and (added := index_build.fill(snapshot.database, progress)):
                self.stdout.write(f"{added:,} sentence vectors added.")
        except (BadSnapshot, BuildError, IndexBusy, EngineFailed) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"No index was built: {error}") from None


# The site answers first.
NICENESS = 10


class FillIndex(SnapshotCommand):
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


class CheckSnapshot(SnapshotCommand):
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


class BuildSpecIndex(BaseCommand):
    help = "Build the search index of the specs. Requirements that have not changed are reused."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", help="only this project; default: all")
        parser.add_argument("--fresh", action="store_true", help="reuse nothing from the former index")

    def handle(self, *args: Any, project: str | None, fresh: bool, **options: Any) -> None:  # Any: Django's signature
        for item in core.select_projects(project):
            self.stdout.write(f"{item.name}: {self._build(item, fresh)}")

    def _build(self, project: Project, fresh: bool) -> str:
        specs = current_catalogue(project).specs.values()
        former = None if fresh else load(project)
        with tqdm(desc=project.name, unit=" texts", disable=not sys.stderr.isatty()) as bar:

            def progress(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            index, report = build(specs, word_embedder(), sentence_model(), former, progress)
        save(project, index)
        return (
            f"{report.requirements} requirements of {len(specs)} specs indexed, "
            f"{report.reused} of them unchanged, {report.removed} removed."
        )


class ReadByOcr(LibraryCommand):
    help = (
        "Read by OCR the PDFs of a library that have no text, or none that can be decoded: about 5 s a page. It can be"
        " ended at any time and goes on. What is quoted from such a text is marked."
    )

    def run_from_argv(self, argv: list[str]) -> None:
        if hasattr(os, "nice"):
            os.nice(NICENESS)
        super().run_from_argv(argv)

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_library_argument(parser)
        parser.add_argument(
            "--if-possible", action="store_true", help="do nothing without the extra, or beside another"
        )

    def handle(self, *, if_possible: bool = False, **options: Path | None) -> None:
        if if_possible and not (can_recognise() and library.is_kept()):
            return
        read = 0
        with self.library_at(options["library"]) as folder:
            try:
                for each in recognise(folder, library.change_settings(command_progress(self.stderr), "OCR")):
                    read += not each.problem
                    (self.stderr if each.problem else self.stdout).write(each.describe())
            except LibraryBusy:
                if not if_possible:
                    raise
        if read:
            library.fill_index(folder, command_progress(self.stderr))
        elif not if_possible:
            self.stdout.write("No PDF was left to read by OCR.")
