"""Keeps the inputs that a target failed on, as cases that `make test` tries from then on."""

import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

CASES = Path(__file__).parent / "cases"
# The inputs are a few thousand bytes, and tracing makes everything slower.
SLOW_SECONDS = 3.0


class SlowInput(Exception):
    """A short input took seconds."""


def names() -> list[str]:
    """The targets; each has cases."""
    return sorted(folder.name for folder in CASES.iterdir())


def keeping_failures(name: str, check: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """A target's check; what fails is written to its cases."""

    def keep(data: bytes) -> None:
        began = time.process_time()
        try:
            check(data)
            if time.process_time() - began > SLOW_SECONDS:
                raise SlowInput
        except Exception:
            (CASES / name / f"found-{sha256(data).hexdigest()[:12]}").write_bytes(data)
            raise

    return keep
