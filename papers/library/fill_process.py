"""Starts `papersite manage fill_index` beside a process that has other things to do and need not load the builder."""

import subprocess
import sys
import threading
from functools import partial

from django.conf import settings

COMMAND = (sys.executable, "-m", "papersite", "manage", "fill_index")


def is_needed() -> bool:
    """Whether the index may lack sentence vectors: on a cluster they are made with it."""
    return bool(settings.SEARCH_MODEL) and not settings.SEARCH_CLUSTER


def start() -> None:
    """Start it, if it is needed. A second one ends at once while the first is at work."""
    if is_needed():
        # In a thread, which waits for the process: nobody else would.
        run = partial(subprocess.run, COMMAND, stdin=subprocess.DEVNULL, check=False)
        threading.Thread(target=run, name="fill_index", daemon=True).start()
