"""An index in a folder where nothing can be written: on a read-only mount, and as another user."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from papercore.retrieval.engines.embedded import folder
from tests.papercore.retrieval.collection import build

SEARCH = """
import mmap, os, sys
from pathlib import Path
from papercore.retrieval import IndexFolder, Request, WordVectors
WordVectors.load()  # and mmap: another user may not read where Python is installed
if len(sys.argv) > 2:
    os.setgroups([])
    os.setgid(int(sys.argv[2]))
    os.setuid(int(sys.argv[2]))
index = IndexFolder(Path(sys.argv[1])).open("one")
print(index.search(Request("soup")).hits[0].id, index.suggest("vasw", ["author"], 1)[0].value)
"""
MOUNT_AND_RUN = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && ! touch "$1/x" && shift && exec "$@"'
NOBODY = "65534"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def without_locks(path: Path) -> None:
    """As a copy of the library has it that was made without the lock files."""
    for lock in path.rglob("*.lock"):
        lock.unlink()


@pytest.mark.parametrize("locks", [True, False])
def test_a_read_only_mount_is_searched_by_its_index(locks: bool, tmp_path: Path) -> None:
    if run("unshare", "--mount", "true").returncode:
        pytest.skip("this user may not mount")
    build(tmp_path)
    if not locks:
        without_locks(tmp_path)
    mounted = ("unshare", "--mount", "sh", "-c", MOUNT_AND_RUN, "sh", str(tmp_path))
    done = run(*mounted, sys.executable, "-c", SEARCH, str(tmp_path))
    assert done.stdout.strip() == "soup Ashish Vaswani", done.stderr


def test_a_user_who_may_only_read_searches_by_the_index() -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    # Not below pytest's own folder, which no other user may enter.
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        path.chmod(0o755)
        build(path)
        without_locks(path)
        done = run(sys.executable, "-c", SEARCH, str(path), NOBODY)
    assert done.stdout.strip() == "soup Ashish Vaswani", done.stderr


def test_opening_writes_nothing(tmp_path: Path) -> None:
    build(tmp_path)
    without_locks(tmp_path)
    generation = folder.generations(tmp_path)[0]
    before = {path: path.stat().st_mtime_ns for path in generation.rglob("*")}
    done = run(sys.executable, "-c", SEARCH, str(tmp_path))
    assert done.stdout.startswith("soup"), done.stderr
    assert {path: path.stat().st_mtime_ns for path in generation.rglob("*")} == before
