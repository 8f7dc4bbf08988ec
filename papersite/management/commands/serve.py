"""manage.py serve: run the site under gunicorn."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command

from papersite.bind_address import DEFAULT_BIND, parse_bind, require_free


class Command(BaseCommand):
    help = "Serve the site with gunicorn, configured by gunicorn.conf.py."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default=DEFAULT_BIND, metavar="HOST:PORT", help=f"default: {DEFAULT_BIND}")

    def handle(self, *args: Any, bind: str, **options: Any) -> None:  # Any: Django's signature
        host, port = parse_bind(bind)
        if "LISTEN_FDS" not in os.environ:  # systemd has opened the socket already
            require_free(host, port)
        if not settings.SECRET_KEY_GIVEN:
            raise CommandError("PAPERSITE_SECRET_KEY is not set: set it to 50 or more random characters.")
        call_command("collectstatic", interactive=False, verbosity=0)
        os.chdir(settings.BASE_DIR)
        gunicorn = [sys.executable, "-m", "gunicorn", "--config", "gunicorn.conf.py", "--bind", bind]
        self.stdout.flush()
        os.execv(sys.executable, gunicorn)  # noqa: S606 (our own program, no shell)
