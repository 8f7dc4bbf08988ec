"""manage.py serve: run the site under gunicorn."""

import os
import socket
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command

DEFAULT_BIND = "127.0.0.1:8000"


class Command(BaseCommand):
    help = "Serve the site with gunicorn, as gunicorn.conf.py says."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default=DEFAULT_BIND, metavar="HOST:PORT", help=f"default: {DEFAULT_BIND}")

    def handle(self, *args: Any, bind: str, **options: Any) -> None:  # Any: Django's signature
        host, port = parse_bind(bind)
        if "LISTEN_FDS" not in os.environ:  # a socket that systemd opened is taken as it is
            require_free(host, port)
        if not settings.SECRET_KEY_GIVEN:
            raise CommandError(
                "PAPERSITE_SECRET_KEY is not set: give the site 50 or more random characters of its own."
            )
        call_command("collectstatic", interactive=False, verbosity=0)
        os.chdir(settings.BASE_DIR)
        gunicorn = [sys.executable, "-m", "gunicorn", "--config", "gunicorn.conf.py", "--bind", bind]
        self.stdout.flush()
        os.execv(sys.executable, gunicorn)  # noqa: S606 (our own program, no shell)


def parse_bind(bind: str) -> tuple[str, int]:
    host, _, port = bind.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise CommandError(f"--bind takes HOST:PORT such as {DEFAULT_BIND}, not {bind!r}.")
    return host.strip("[]"), int(port)


def require_free(host: str, port: int) -> None:
    """Say in one line that the port is taken, before gunicorn says it in many."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise CommandError(
            f"Cannot serve on {host}:{port} ({error.strerror}). Choose another port: make run BIND={host}:{port + 1}"
        ) from None
