"""Opens the browser once the site answers, on a desktop alone."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser

SECONDS = 60.0
PAUSE = 0.2


def is_desktop() -> bool:
    """Whether somebody sits before this machine: a terminal here, a screen, and no session from elsewhere."""
    if not sys.stdout.isatty() or os.environ.get("SSH_CONNECTION") or os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_when_served(address: str) -> None:
    """In a process of its own, because this one becomes the server."""
    command = [sys.executable, "-m", "papersite.command.browser", address]
    subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603


def wait_and_open(address: str) -> bool:
    """Open the address when it answers; False if it does not in time."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=5):  # noqa: S310 (our own address)
                return webbrowser.open(f"{address}/")
        except (urllib.error.URLError, OSError):
            time.sleep(PAUSE)
    return False


if __name__ == "__main__":
    wait_and_open(sys.argv[1])
