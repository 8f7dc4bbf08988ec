"""manage.py demo: set up the demo library and serve it. `make run` calls it."""

import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command

from papersite.secret_key import stored_secret_key
from papersite.server.bind_address import DEFAULT_BIND, allow_local_changes, parse_bind, require_free


class Command(BaseCommand):
    help = "Build the demo library if it is not there, prepare the database, and serve."
    requires_system_checks = ()  # they would complain about what is made here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default=DEFAULT_BIND, metavar="HOST:PORT", help=f"default: {DEFAULT_BIND}")
        parser.add_argument("--no-serve", action="store_true", help="build and stop")

    def handle(self, *args: Any, bind: str, no_serve: bool, **options: Any) -> None:  # Any: Django's signature
        if not no_serve:
            require_free(*parse_bind(bind))
        call_command("prepare", demo=True, stdout=self.stdout, stderr=self.stderr)
        if no_serve:
            return
        secret_key = settings.SECRET_KEY_GIVEN or stored_secret_key(Path(settings.DATA) / "secret-key")
        os.environ["PAPERSITE_SECRET_KEY"] = secret_key
        allow_local_changes(parse_bind(bind)[0])
        # A new process, because settings are read from the environment once.
        command = [sys.executable, sys.argv[0], "serve", "--bind", bind]
        if not hasattr(os, "fork"):  # Windows would leave the terminal to its next command
            sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 (our own program)
        os.execv(sys.executable, command)  # noqa: S606
