"""Tells whether a function's time grows faster than its input, by comparing it with itself."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from papercore.rendering.slow import TooSlow, stop_after

# Four times the input takes four times as long where time is linear, sixteen times where it is quadratic.
TOLERATED = 8.0
# How often it is measured: at least, and until it took so many seconds. A neighbour on the same core may slow down a
# dozen short attempts in a row.
ATTEMPTS = 12
LEAST_SECONDS = 0.5
# Shorter times are noise.
MEASURABLE_SECONDS = 0.002
# What takes longer may never end.
STOPPED_SECONDS = 10.0
SIZES = (1, 2, 4)


def grows_too_fast(
    act: Callable[[str], object], text: Callable[[int], str], size: int, least_attempts: int = ATTEMPTS
) -> str:
    """Empty, or the times at n, 2n and 4n, if no attempt showed linear growth.

    A time is the best of all attempts: what else goes on in the process and on the machine only adds to it.
    """
    texts = [text(factor * size) for factor in SIZES]
    best = [STOPPED_SECONDS] * len(SIZES)
    attempts, spent = 0, 0.0
    with _no_collection():
        while attempts < least_attempts or spent < LEAST_SECONDS:
            try:
                longest = seconds(act, texts[-1])
            except TooSlow:
                return f"over {STOPPED_SECONDS} s"
            if longest <= MEASURABLE_SECONDS:
                return ""
            times = [*(seconds(act, each) for each in texts[:-1]), longest]
            best = list(map(min, best, times))
            if best[-1] <= TOLERATED * best[0]:
                return ""
            attempts, spent = attempts + 1, spent + sum(times)
    return ", ".join(f"{seconds:.4f} s" for seconds in best)


@contextmanager
def _no_collection() -> Iterator[None]:
    """A collection visits the objects of all tests before this one, and takes longer than what is measured."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def seconds(act: Callable[[str], object], text: str) -> float:
    with stop_after(STOPPED_SECONDS):
        began = time.thread_time()
        act(text)
        return time.thread_time() - began
