"""papersite upgrade-check: what this version would do with the data folder."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

import papers.health
import specs.health
from papercore.version import VERSION
from papersite.data import folder as data_folder
from papersite.data.folder import UnusableData
from papersite.data.preparation import migrations


class Command(BaseCommand):
    help = "Say what starting this version would do with the data folder, and change nothing. Fails if it must not."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:  # Any: Django's signature
        folder = Path(settings.DATA)
        state = data_folder.read_state(folder)
        try:
            data_folder.refuse_newer(folder, state)
            pending, unknown = migrations() if state else ([], [])
        except UnusableData as error:
            raise CommandError(str(error)) from None
        except DatabaseError as error:
            raise CommandError(f"The database cannot be read: {error}") from None
        if unknown:
            raise CommandError(data_folder.newer_data(folder, f"newer than {VERSION}"))
        if state is None:
            self.stdout.write(f"{folder}: empty, this is {VERSION}")
            self.stdout.write("The first start makes the database, the demo library and the indexes.")
            return
        self.stdout.write(f"{folder}: written by papersite {state.version}, this is {VERSION}")
        steps = [f"database: {len(pending)} migrations, after a backup"] * bool(pending)
        # Not the database and the searches: looking at them writes.
        parts = [*papers.health.parts(), *([specs.health.part()] if settings.SPECS else [])]
        steps += [f"{part.name}: {part.hint}" for part in parts if part.hint]
        for step in steps or ["Nothing to do."]:
            self.stdout.write(step)
