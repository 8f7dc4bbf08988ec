"""Limits that a process sets itself, as far as the system has them."""

import faulthandler
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def limit_memory(size: int) -> None:
    """Let allocations fail beyond so many bytes. Windows has no such limit, and macOS knows it but refuses it."""
    try:
        import resource
    except ImportError:
        return
    with suppress(ValueError):  # refused, or a lower limit holds already
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """End the process if the block takes longer. Nothing in it can refuse, not even native code.

    Seconds of processor time where the system counts them, else of the clock.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
