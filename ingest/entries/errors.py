"""The errors for a library that cannot be built or updated."""

from collections.abc import Sequence
from pathlib import Path


class BuildError(Exception):
    """Nothing was built or changed; the message says why, in one line for the person at the terminal."""


class LibraryBusy(BuildError):
    """Another build or update is at work in the same folder."""


class UnusableInput(BuildError):
    """These inputs give no paper."""

    def __init__(self, paths: Sequence[Path], message: str) -> None:
        super().__init__(message)
        self.paths = tuple(paths)
