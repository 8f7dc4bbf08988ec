"""A PostgreSQL server of our own for the tests, where its programs are installed."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def programs() -> Path:
    """The folder with initdb; skips the test where there is none, or nobody to run the server as."""
    places = [*sorted(Path("/usr/lib/postgresql").glob("*/bin")), *map(Path, os.environ["PATH"].split(":"))]
    found = next((place for place in reversed(places) if (place / "initdb").is_file()), None)
    if found is None:
        pytest.skip("PostgreSQL's initdb is not installed")
    if os.geteuid() == 0 and not _unprivileged():
        pytest.skip("PostgreSQL refuses to run as root, and there is no user postgres")
    return found


@contextmanager
def server(disk: Path | None = None) -> Iterator[str]:
    """The URL of an empty database, on the disk if one is given."""
    folder, binaries = Path(tempfile.mkdtemp(prefix="pg", dir=disk)), programs()
    if user := _unprivileged():
        shutil.chown(folder, user)
    port = _free_port()
    _run([binaries / "initdb", "-D", folder / "data", "-A", "trust", "-U", "tester", "--no-sync"], folder)
    options = f"-p {port} -h 127.0.0.1 -k {folder} -c fsync=off"
    control: list[Path | str] = [binaries / "pg_ctl", "-D", folder / "data", "-w", "-t", "30"]
    _run([*control, "-l", folder / "log", "-o", options, "start"], folder)
    try:
        yield f"postgresql://tester@127.0.0.1:{port}/postgres"
    finally:
        _run([*control, "-m", "immediate", "stop"], folder)
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged() -> str:
    """Whom to run the server as; empty when this process need not change."""
    if os.geteuid() != 0:
        return ""
    return next((entry.pw_name for entry in pwd.getpwall() if entry.pw_name == "postgres"), "")


def _run(command: list[Path | str], folder: Path) -> None:
    subprocess.run(
        [str(part) for part in command],
        check=True,
        cwd=folder,
        timeout=60,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        user=_unprivileged() or None,
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
