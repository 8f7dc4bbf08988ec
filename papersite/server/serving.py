"""Serves the site: the address to listen on, and the server of the platform, gunicorn or waitress."""

import os
import socket
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError

from papercore import limits
from papercore.caller import is_loopback
from papersite.accounts import owner
from papersite.configuration import environment, files
from papersite.data import served_site
from papersite.server.body_limits import body_limit

DEFAULT_BIND = "127.0.0.1:8000"
_CHANGES = "PAPERSITE_LIBRARY_CHANGES"
# Of waitress, which serves one person: one process, in which nothing is shared and nothing is forked.
WAITRESS_THREADS = 16


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


def give_owner(host: str) -> None:
    """Let the person who starts a site for themselves change its library, by a link that is printed.

    On a site that only this machine reaches, unless the settings say who may. Call it before anything is served.
    """
    if is_loopback(host) and environment.source_of(_CHANGES) == "default":
        # For the processes that are started, and for this one, which has read the settings.
        os.environ[_CHANGES] = settings.LIBRARY_CHANGES = "local"


def run_server(host: str, port: int, secret_key: str) -> NoReturn:
    """Serve until the process is ended."""
    os.environ["PAPERSITE_SECRET_KEY"] = secret_key
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not hasattr(os, "fork"):
        # The settings of this process were read before there was a key.
        settings.SECRET_KEY = settings.SECRET_KEY_GIVEN = settings.SECRET_KEY_KEPT = secret_key
        serve_with_waitress(address)
        sys.exit(0)
    command = gunicorn_command(address)
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606 (our own program, no shell)


def require_workers() -> None:
    """gunicorn.conf.py reads their number, where an error would be a traceback, and 0 a site that never answers."""
    if environment.number("WEB_CONCURRENCY", 1) == 0:
        raise ImproperlyConfigured("WEB_CONCURRENCY must be 1 or more: it is the number of worker processes.")


def gunicorn_command(address: str) -> list[str]:
    require_workers()
    files.let_children_import()
    if sys.platform == "darwin":  # else it ends forked processes in which a library uses the system's frameworks
        os.environ.setdefault("OBJC_DISABLE_INITIALIZE_FORK_SAFETY", "YES")
    configuration = files.own_path("gunicorn.conf.py")
    return [sys.executable, "-m", "gunicorn", "--config", str(configuration), "--bind", address]


def serve_with_waitress(address: str) -> None:
    """Serve on HOST:PORT until the process is ended."""
    import waitress

    from papersite.wsgi import application

    server = waitress.create_server(
        limited(application),
        listen=address,
        threads=WAITRESS_THREADS,
        max_request_body_size=limits.UPLOAD_BYTES,
        ident="papersite",
    )
    announce(f"http://{address}")
    server.run()


def limited(application: WSGIApplication) -> WSGIApplication:
    """The application behind the limit of each route: waitress has one for all, and keeps what is large in a file."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or "0"
        if int(length) > body_limit(quote(environ["PATH_INFO"]), environ.get("HTTP_COOKIE", "")):
            start_response("413 Content Too Large", [("Content-Length", "0"), ("Connection", "close")])
            return []
        return application(environ, start_response)

    return answer


def announce(address: str) -> None:
    """What the person who started the site reads once it answers; noted for the commands that print addresses."""
    served_site.note(address)
    print(f"\nThe library is served on {address}/ (stop it with Ctrl-C).")
    if settings.LIBRARY_CHANGES == "local" and (key := owner.unused_key(Path(settings.DATA))):
        print(f"Sign in as its owner, once:  {owner.link(address, key)}")
    connect = f"claude mcp add --transport http papersite {address}/mcp"
    if settings.MCP_AUTH == "required":
        print("Make a token for an agent:  papersite create-token NAME")
        connect += ' --header "Authorization: Bearer TOKEN"'
    print(f"Connect an agent:  {connect}")
    print(f"Other clients:     {address}/connect/\n", flush=True)
