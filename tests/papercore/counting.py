"""Processes that count together, for the tests of rate limits: `python -m tests.papercore.counting COMMAND`.

share   four processes use up one client's 1,000 calls: how many calls each was given
kill    processes die by SIGKILL while they count, twenty times: how many calls are given afterwards
"""

import json
import os
import signal
import sys
from collections.abc import Callable

from papercore.processes.rate_limits import RateLimit

STILL = 1000.0


def forked(work: Callable[[int], None]) -> tuple[int, int]:
    """A process that does the work, and where it can be read what it writes."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    try:
        work(writer)
    finally:
        os._exit(0)


def share() -> list[int]:
    calls = RateLimit(1000, lambda: STILL)

    def use_up(writer: int) -> None:
        given = 0
        while not calls.take("a"):
            given += 1
        os.write(writer, str(given).encode())

    return [int(os.read(reader, 100)) for _, reader in [forked(use_up) for _ in range(4)]]


def kill() -> int:
    calls = RateLimit(1000, lambda: STILL)

    def count_on(writer: int) -> None:
        number = 0
        while True:
            number += 1
            calls.take(f"client {number}")
            if number == 100:
                os.write(writer, b"x")

    for _ in range(20):
        pid, reader = forked(count_on)
        os.read(reader, 1)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return sum(1 for _ in iter(lambda: bool(calls.take("a")), True))


if __name__ == "__main__":
    print(json.dumps(share() if sys.argv[1] == "share" else kill()))
