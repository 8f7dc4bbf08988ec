"""What the command says besides results: on stderr, in colour on a terminal."""

import os
import sys
from typing import TextIO

RED, GREEN, YELLOW, BOLD = "31", "32", "33", "1"


def painted(text: str, colour: str, stream: TextIO | None = None) -> str:
    """The text in colour where a person sees it, unless NO_COLOR asks for none."""
    stream = stream or sys.stderr
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def fail(message: str) -> int:
    say(f"{painted('papersite:', RED)} {message}")
    return 1
