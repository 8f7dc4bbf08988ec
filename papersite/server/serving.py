"""Runs the server that the platform has: gunicorn, or waitress where no process can be forked."""

import os
import sys
from typing import NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from papercore import limits
from papersite.configuration import environment
from papersite.configuration import places

# Of waitress, which serves one person: one process, in which nothing is shared and nothing is forked.
WAITRESS_THREADS = 16


def run_server(host: str, port: int, secret_key: str) -> NoReturn:
    """Serve until the process is ended."""
    os.environ["PAPERSITE_SECRET_KEY"] = secret_key
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not hasattr(os, "fork"):
        # The settings of this process were read before there was a key.
        settings.SECRET_KEY = settings.SECRET_KEY_GIVEN = secret_key
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
    # Relative paths in settings stay those of the folder that the command was called in.
    root = str(places.PACKAGE.parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    if sys.platform == "darwin":  # else it ends forked processes in which a library uses the system's frameworks
        os.environ.setdefault("OBJC_DISABLE_INITIALIZE_FORK_SAFETY", "YES")
    configuration = places.own_path("gunicorn.conf.py")
    return [sys.executable, "-m", "gunicorn", "--config", str(configuration), "--bind", address]


def serve_with_waitress(address: str) -> None:
    """Serve on HOST:PORT until the process is ended."""
    import waitress

    from papersite.wsgi import application

    server = waitress.create_server(
        application,
        listen=address,
        threads=WAITRESS_THREADS,
        max_request_body_size=limits.UPLOAD_BYTES,
        ident="papersite",
    )
    announce(f"http://{address}")
    server.run()


def announce(address: str) -> None:
    """What the person who started the site reads once it answers."""
    print(f"\nThe library is served on {address}/ (stop it with Ctrl-C).")
    print(f"Connect an agent:  claude mcp add --transport http papersite {address}/mcp")
    print(f"Other clients:     {address}/connect/\n", flush=True)
