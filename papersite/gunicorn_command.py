"""The command line that serves the site with gunicorn."""

import os
import sys

from papersite import environment, places


def gunicorn_command(bind: str) -> list[str]:
    environment.number("WEB_CONCURRENCY", 1)  # gunicorn.conf.py reads it, where an error would be a traceback
    # Relative paths in settings stay those of the folder that the command was called in.
    root = str(places.PACKAGE.parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    return [sys.executable, "-m", "gunicorn", "--config", str(places.own_path("gunicorn.conf.py")), "--bind", bind]
