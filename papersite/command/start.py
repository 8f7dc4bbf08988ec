"""Starts the site: a data folder that is ready, a free port, the server, the browser."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from django.conf import settings

from papersite.accounts import owner
from papersite.command.browser import open_when_served
from papersite.configuration import environment
from papersite.data import folder as data_folder
from papersite.data.folder import UnusableData, make_secret_key
from papersite.server.serving import (
    DEFAULT_BIND,
    give_owner,
    is_free,
    parse_bind,
    require_free,
    require_workers,
    run_server,
)

# How many ports after a taken one are tried.
PORTS_TRIED = 20


def start(bind: str | None, *, with_browser: bool) -> NoReturn:
    """What `papersite` does: demo library, own secret key, the next free port if none was named."""
    host, port = free_address(bind)
    give_owner(host)
    require_workers()
    bring_model()
    make_ready(demo=True)
    data = Path(settings.DATA)
    key = settings.SECRET_KEY_GIVEN or make_secret_key(data)
    if settings.LIBRARY_CHANGES == "local":
        owner.new_key(data)
    if with_browser:
        open_when_served(f"http://{host}:{port}", data)
    start_filling()
    run_server(host, port, key)


def free_address(bind: str | None) -> tuple[str, int]:
    """The named address, or else the first free port from the default on."""
    host, port = parse_bind(bind or DEFAULT_BIND)
    free = port if bind else next((other for other in range(port, port + PORTS_TRIED) if is_free(host, other)), port)
    require_free(host, free)
    if free != port:
        say(f"Port {port} is taken, so this is port {free}.")
    return host, free


def bring_model() -> None:
    """Install the default sentence model, once; where it cannot be had, a line says so and search goes on without."""
    models = Path(settings.MODELS)
    if settings.SEARCH_MODEL or settings.SEARCH_MODEL_CHOSEN or models.exists() or find_spec("onnxruntime") is None:
        return
    data_folder.make(Path(settings.DATA))
    command = [sys.executable, "-m", "papersite", "model", "install", "--optional"]
    subprocess.run(command, stdout=sys.stderr.fileno(), check=False)  # noqa: S603 (our own program)
    settings.SEARCH_MODEL = environment.installed_or_path("PAPERSITE_SEARCH_MODEL", models)


def make_ready(*, demo: bool) -> None:
    """See that the data folder can be used, and prepare it if anything has changed since it was prepared last."""
    # Not at the top: it brings Django's migrations with it.
    from papersite.command.preparation import inputs_fingerprint

    folder = Path(settings.DATA)
    data_folder.make(folder)
    state = data_folder.read_state(folder)
    data_folder.refuse_newer(folder, state)
    if state and state.prepared == inputs_fingerprint():
        return
    if state is None:
        say(f"First start: preparing {folder}")
    # In a process of its own: the server forks, and what builds an index starts threads.
    command = [sys.executable, "-m", "papersite", "manage", "prepare", *(["--demo"] if demo else [])]
    result = subprocess.run(command, stdout=sys.stderr.fileno(), check=False)  # noqa: S603 (our own program)
    if result.returncode:
        raise UnusableData("The site was not started.")


def start_filling() -> None:
    """Go on with sentence vectors and scans beside the server, in processes that end with its terminal or container."""
    from papers.library import background_commands

    for command in background_commands():
        subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 (our own program)


def say(message: str) -> None:
    """On stderr, because stdout is for results."""
    print(message, file=sys.stderr, flush=True)
