"""papersite build-spec-index: build the search index of the specs, reusing what has not changed."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand
from tqdm import tqdm

from specs import core
from specs.reading.catalogue import current_catalogue
from specs.reading.files import Project
from specs.search.index import build, load, save
from specs.search.search import sentence_model, word_embedder


class Command(BaseCommand):
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
