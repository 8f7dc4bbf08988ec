"""Opens the browser once the site answers, on a desktop alone."""

import os
import subprocess
import sys
import time
import webbrowser
from contextlib import closing
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from papercore.http_client import BlockingClient, RequestFailed, Service
from papersite.accounts import owner
from papersite.configuration import files

SECONDS = 60.0
PAUSE = 0.2


def is_desktop() -> bool:
    """Whether somebody sits before this machine: a terminal here, a screen, and no session from elsewhere."""
    if not sys.stdout.isatty() or os.environ.get("SSH_CONNECTION") or os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_when_served(address: str, data: Path) -> None:
    """In a process of its own, because this one becomes the server."""
    command = [sys.executable, "-m", "papersite.command.browser", address, str(data)]
    subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603


def wait_and_open(address: str, data: Path) -> bool:
    """Open the address when it answers; False if it does not in time."""
    deadline = time.monotonic() + SECONDS
    client = BlockingClient(Service(address, max_bytes=0, seconds=5, operator_named=True))
    while time.monotonic() < deadline:
        try:
            with closing(client.open("/healthz")) as reply:
                if reply.status_code < 400:
                    return webbrowser.open(first_page(address, data))
        except RequestFailed:
            pass
        time.sleep(PAUSE)
    return False


def first_page(address: str, data: Path) -> str:
    """The site; or a file that leads to its owner's link, which must not be among the browser's arguments."""
    key = owner.unused_key(data)
    if not key:
        return f"{address}/"
    templates = Environment(loader=FileSystemLoader(files.own_path("templates")), autoescape=True)
    page = data / owner.PAGE_FILE
    owner.write_private(page, templates.get_template("accounts/open_site.html").render(link=owner.link(address, key)))
    return page.absolute().as_uri()


if __name__ == "__main__":
    wait_and_open(sys.argv[1], Path(sys.argv[2]))
