"""Small disks of our own, to fill."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[bool]:
    """The folder is on a disk of its own, if mounting is allowed."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=777", "none", str(place)]
    mounted = subprocess.run(mount, check=False, capture_output=True).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(place)], check=True)


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Not a byte is left while the block runs. Skips the test where the disk is not ours alone."""
    if not disk.is_mount():
        pytest.skip("a disk of its own can be mounted by root alone")
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096):
            while has_room(file.fileno(), size):
                pass
    try:
        yield
    finally:
        ballast.unlink()


def has_room(descriptor: int, size: int) -> bool:
    try:
        return os.write(descriptor, b"x" * size) == size
    except OSError:
        return False
