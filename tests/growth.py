"""Tells whether a function's time grows faster than its input, by comparing it with itself."""

import time
from collections.abc import Callable

# Four times the input takes four times as long where time is linear, sixteen times where it is quadratic.
TOLERATED = 8.0
ATTEMPTS = 4
# Shorter times are noise.
MEASURABLE_SECONDS = 0.002


def grows_too_fast(act: Callable[[str], object], text: Callable[[int], str], size: int) -> str:
    """Empty, or the times at n, 2n and 4n, if no attempt showed linear growth."""
    times: list[float] = []
    for _ in range(ATTEMPTS):
        times = [_seconds(act, text(factor * size)) for factor in (1, 2, 4)]
        if times[2] <= max(TOLERATED * times[0], MEASURABLE_SECONDS):
            return ""
    return ", ".join(f"{seconds:.4f} s" for seconds in times)


def _seconds(act: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    act(text)
    return time.thread_time() - began
