"""The command line that serves the site with gunicorn."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured

from papersite import environment, places


def require_workers() -> None:
    """gunicorn.conf.py reads their number, where an error would be a traceback, and 0 a site that never answers."""
    if environment.number("WEB_CONCURRENCY", 1) == 0:
        raise ImproperlyConfigured("WEB_CONCURRENCY must be 1 or more: it is the number of worker processes.")


def gunicorn_command(bind: str) -> list[str]:
    require_workers()
    # Relative paths in settings stay those of the folder that the command was called in.
    root = str(places.PACKAGE.parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    if sys.platform == "darwin":  # else it ends forked processes in which a library uses the system's frameworks
        os.environ.setdefault("OBJC_DISABLE_INITIALIZE_FORK_SAFETY", "YES")
    return [sys.executable, "-m", "gunicorn", "--config", str(places.own_path("gunicorn.conf.py")), "--bind", bind]
