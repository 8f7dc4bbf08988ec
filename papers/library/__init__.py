"""The library that is served, changed: updates and undo with the search index, and what people add in the browser.

Sentence vectors are added by `papersite manage fill_index`, and scans read by `papersite ocr`, beside a process that
has other things to do and need not load the builder.
"""

import subprocess
import sys
import threading
from collections.abc import Sequence
from importlib.util import find_spec

from django.conf import settings

FILL_COMMAND = (sys.executable, "-m", "papersite", "manage", "fill_index")
OCR_COMMAND = (sys.executable, "-m", "papersite", "manage", "ocr", "--if-possible")


def needs_filling() -> bool:
    """Whether the index may lack sentence vectors: on a cluster they are made with it."""
    return bool(settings.SEARCH_MODEL) and not settings.SEARCH_CLUSTER


def background_commands() -> list[Sequence[str]]:
    """What is to be done beside the server, in processes that can be ended at any time: the next ones go on."""
    commands: list[Sequence[str]] = [FILL_COMMAND] if needs_filling() else []
    can_read_scans = find_spec("rapidocr") is not None and settings.LIBRARY_CHANGES != "off"
    return [*commands, OCR_COMMAND] if can_read_scans else commands


def start_filling() -> None:
    """Start these commands one after the other. A second one ends at once while the first is at work."""
    # In a thread, which waits for the processes: nobody else would.
    threading.Thread(target=_run, args=[background_commands()], name="fill_index", daemon=True).start()


def _run(commands: Sequence[Sequence[str]]) -> None:
    for command in commands:
        subprocess.run(command, stdin=subprocess.DEVNULL, check=False)  # noqa: S603 (our own program)
