"""manage.py upgrade_check: what this version would do with the data folder."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

from papercore.version import VERSION
from papersite import data_folder, health
from papersite.data_folder import UnusableData
from papersite.preparation import migrations


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
        self.stdout.write(
            f"{folder}: {f'written by papersite {state.version}' if state else 'empty'}, this is {VERSION}"
        )
        steps = [f"database: {len(pending)} migrations, after a backup"] * bool(pending)
        steps += [f"{part.name}: {part.hint}" for part in health.parts() if part.hint and state]
        for step in steps or ["Nothing to do."]:
            self.stdout.write(step)
