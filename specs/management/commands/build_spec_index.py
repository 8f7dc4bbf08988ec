"""manage.py build_spec_index: build the search index of the specs, anew only where they changed."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand
from tqdm import tqdm

from specs import core
from specs.reading.projects import Project
from specs.search.index import build
from specs.search.index_file import load, save
from specs.search.model import sentence_model, word_space


class Command(BaseCommand):
    help = "Build the search index of the specs. Requirements that have not changed are taken over."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", help="only this project; default: all")
        parser.add_argument("--fresh", action="store_true", help="take nothing over from the former index")

    def handle(self, *args: Any, project: str | None, fresh: bool, **options: Any) -> None:  # Any: Django's signature
        for item in core.chosen_projects(project):
            self.stdout.write(f"{item.name}: {self._build(item, fresh)}")

    def _build(self, project: Project, fresh: bool) -> str:
        specs = core.catalogue(project).specs.values()
        former = None if fresh else load(project)
        with tqdm(desc=project.name, unit=" texts", disable=not sys.stderr.isatty()) as bar:

            def progress(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            index, report = build(specs, word_space(), sentence_model(), former, progress)
        save(project, index)
        return (
            f"{report.requirements} requirements of {len(specs)} specs indexed, "
            f"{report.reused} of them unchanged, {report.removed} removed."
        )
