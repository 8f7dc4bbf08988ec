"""The library that is served, changed: updates and undo with the search index, and what people add in the browser.

Sentence vectors are added by `papersite manage fill_index`, beside a process that has other things to do and need not
load the builder.
"""

import subprocess
import sys
import threading
from functools import partial

from django.conf import settings

FILL_COMMAND = (sys.executable, "-m", "papersite", "manage", "fill_index")


def needs_filling() -> bool:
    """Whether the index may lack sentence vectors: on a cluster they are made with it."""
    return bool(settings.SEARCH_MODEL) and not settings.SEARCH_CLUSTER


def start_filling() -> None:
    """Start the command, if it is needed. A second one ends at once while the first is at work."""
    if needs_filling():
        # In a thread, which waits for the process: nobody else would.
        run = partial(subprocess.run, FILL_COMMAND, stdin=subprocess.DEVNULL, check=False)
        threading.Thread(target=run, name="fill_index", daemon=True).start()
