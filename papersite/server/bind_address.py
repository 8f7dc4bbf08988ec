"""The address that the site listens on: read from the command line, checked to be free; local ones allow changes."""

import os
import socket
import sys

from django.core.management import CommandError

from papercore.caller import is_loopback
from papersite.configuration.environment import source_of

DEFAULT_BIND = "127.0.0.1:8000"
_CHANGES = "PAPERSITE_LIBRARY_CHANGES"


def parse_bind(bind: str) -> tuple[str, int]:
    host, _, port = bind.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise CommandError(f"--bind takes HOST:PORT such as {DEFAULT_BIND}, not {bind!r}.")
    return host.strip("[]"), int(port)


def require_free(host: str, port: int) -> None:
    """Say in one line that the port is taken, before gunicorn says it in many."""
    try:
        _try(host, port)
    except OSError as error:
        free = next((other for other in range(port + 1, min(port + 100, 65536)) if is_free(host, other)), None)
        offer = f" This port is free: --bind {host}:{free} (make run BIND={host}:{free})" if free else ""
        raise CommandError(f"Cannot serve on {host}:{port} ({error.strerror}).{offer}") from None


def is_free(host: str, port: int) -> bool:
    try:
        _try(host, port)
    except OSError:
        return False
    return True


def _try(host: str, port: int) -> None:
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind) as probe:
        if sys.platform != "win32":  # there it would take the port from whoever has it
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)


def allow_local_changes(host: str) -> None:
    """Let the person who starts a site for themselves add papers in the browser.

    On a site that only this machine reaches, unless the settings say who may. Call it before anything is served.
    """
    if is_loopback(host) and source_of(_CHANGES) == "default":
        os.environ[_CHANGES] = "local"
