"""papersite demo: set up the demo library and serve it. `make run` calls it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command

from papersite.data.folder import stored_secret_key
from papersite.server.bind_address import DEFAULT_BIND, allow_local_changes, parse_bind, require_free
from papersite.server.serving import require_workers, run_server


class Command(BaseCommand):
    help = "Build the demo library if it is not there, prepare the database, and serve."
    requires_system_checks = ()  # they would complain about what is made here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default=DEFAULT_BIND, metavar="HOST:PORT", help=f"default: {DEFAULT_BIND}")
        parser.add_argument("--no-serve", action="store_true", help="build and stop")

    def handle(self, *args: Any, bind: str, no_serve: bool, **options: Any) -> None:  # Any: Django's signature
        host, port = parse_bind(bind)
        if not no_serve:
            require_workers()
            require_free(host, port)
        call_command("prepare", demo=True, stdout=self.stdout, stderr=self.stderr)
        if no_serve:
            return
        allow_local_changes(host)
        key = settings.SECRET_KEY_GIVEN or stored_secret_key(Path(settings.DATA) / "secret-key")
        run_server(host, port, key)
