"""Runs the server that the platform has: gunicorn, or waitress where no process can be forked."""

import os
import sys
from typing import NoReturn

from django.conf import settings


def run_server(host: str, port: int, secret_key: str) -> NoReturn:
    """Serve until the process is ended."""
    os.environ["PAPERSITE_SECRET_KEY"] = secret_key
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not hasattr(os, "fork"):
        from papersite.waitress_server import serve

        # The settings of this process were read before there was a key.
        settings.SECRET_KEY = settings.SECRET_KEY_GIVEN = secret_key
        serve(address)
        sys.exit(0)
    from papersite.gunicorn_command import gunicorn_command

    command = gunicorn_command(address)
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606 (our own program, no shell)
