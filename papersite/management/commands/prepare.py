"""papersite prepare: bring the data folder up to this program."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from papersite.data import preparation
from papersite.data.folder import UnusableData


class Command(BaseCommand):
    help = "Upgrade the data folder (with a backup), build what is missing. `papersite` does it when it starts."
    requires_system_checks = ()  # they would complain about what is made here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="build the demo library if no other is named")

    def handle(self, *args: Any, demo: bool, **options: Any) -> None:  # Any: Django's signature
        try:
            preparation.prepare(self.stderr, demo=demo)
        except UnusableData as error:
            raise CommandError(str(error)) from None
