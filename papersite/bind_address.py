"""The address that the site listens on: read from the command line, and checked to be free."""

import socket

from django.core.management import CommandError

DEFAULT_BIND = "127.0.0.1:8000"


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
