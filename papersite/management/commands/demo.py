"""papersite demo: set up the demo library and serve it. `make run` calls it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError, call_command

from papersite.command.start import start
from papersite.data.folder import UnusableData
from papersite.server.serving import DEFAULT_BIND


class Command(BaseCommand):
    help = "Build the demo library if it is not there, prepare the database, and serve."
    requires_system_checks = ()  # they would complain about what is made here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default=DEFAULT_BIND, metavar="HOST:PORT", help=f"default: {DEFAULT_BIND}")
        parser.add_argument("--no-serve", action="store_true", help="build and stop")

    def handle(self, *args: Any, bind: str, no_serve: bool, **options: Any) -> None:  # Any: Django's signature
        if no_serve:
            call_command("prepare", demo=True, stdout=self.stdout, stderr=self.stderr)
            return
        try:
            start(bind, with_browser=False)
        except UnusableData as error:
            raise CommandError(str(error)) from None
