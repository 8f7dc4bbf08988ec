"""The installed command as a process, with an empty home and none of our settings."""

import os
import pty
import subprocess
from pathlib import Path


def environment(home: Path, **settings: str) -> dict[str, str]:
    dropped = ("PAPERSITE_", "PYTHON", "XDG_", "DJANGO_", "SSH_", "DISPLAY", "WAYLAND_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    # A first start would fetch a model.
    own = {"HOME": str(home), "TERM": "xterm", "WEB_CONCURRENCY": "1", "PAPERSITE_SEARCH_MODEL": "off"}
    return kept | own | settings


def run(command: Path, home: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(command), *arguments],
        cwd=home,
        env=environment(home, **settings),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def run_on_terminal(command: Path, home: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """The exit code, and all that a person would see."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [str(command), *arguments],
        cwd=home,
        env=environment(home, **settings),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    seen = b""
    while piece := _read(ours):
        seen += piece
    os.close(ours)
    return process.wait(60), seen.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # the process has ended, and its side of the terminal with it
        return b""
