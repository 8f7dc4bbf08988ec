"""Tells whether a function's time grows faster than its input, by comparing it with itself."""

import time
from collections.abc import Callable

from papercore.rendering.slow import TooSlow, stop_after

# Four times the input takes four times as long where time is linear, sixteen times where it is quadratic.
TOLERATED = 8.0
ATTEMPTS = 4
# Shorter times are noise.
MEASURABLE_SECONDS = 0.002
# What takes longer may never end.
STOPPED_SECONDS = 10.0


def grows_too_fast(act: Callable[[str], object], text: Callable[[int], str], size: int) -> str:
    """Empty, or the times at n, 2n and 4n, if no attempt showed linear growth."""
    times: list[float] = []
    for _ in range(ATTEMPTS):
        try:
            longest = _seconds(act, text(4 * size))
        except TooSlow:
            return f"over {STOPPED_SECONDS} s"
        if longest <= MEASURABLE_SECONDS:
            return ""
        times = [*(_seconds(act, text(factor * size)) for factor in (1, 2)), longest]
        if longest <= TOLERATED * times[0]:
            return ""
    return ", ".join(f"{seconds:.4f} s" for seconds in times)


def _seconds(act: Callable[[str], object], text: str) -> float:
    with stop_after(STOPPED_SECONDS):
        began = time.thread_time()
        act(text)
        return time.thread_time() - began
