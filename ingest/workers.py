"""Processes that work for a build, as many as there are cores."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar

from ingest.entries.entry import BuildError

Part = TypeVar("Part")
Result = TypeVar("Result")


# Fewer papers are worked on before other processes have started.
PAPERS_WORTH_PROCESSES = 2_000
_PAPERS_AT_ONCE = 200


def parts_of(papers: Iterable[Part]) -> Iterator[list[Part]]:
    """So many of them as go to a process at once."""
    remaining = iter(papers)
    while part := list(islice(remaining, _PAPERS_AT_ONCE)):
        yield part


class Workers:
    """Started when the first work comes; on one core there are none, and this process does it all."""

    def __init__(self, setup: Callable[[], None] | None = None) -> None:
        """`setup` is called in each process before its first work."""
        self._setup = setup
        # Not every system can say which cores this process may use.
        affinity = getattr(os, "sched_getaffinity", None)
        self._processes = len(affinity(0)) if affinity else os.cpu_count() or 1
        self._has_started = False

    @property
    def are_several(self) -> bool:
        return self._processes > 1

    def map(self, function: Callable[[Part], Result], parts: Iterable[Part]) -> Generator[Result]:
        """The results in the order of the parts, a few of which are at work at a time.

        So no process waits, and neither the parts nor the results of a whole library are ever held at once.
        """
        if not self.are_several:
            yield from map(function, parts)
            return
        remaining = iter(parts)
        waiting: deque[Future[Result]] = deque()
        try:
            waiting.extend(self._pool.submit(function, part) for part in islice(remaining, 2 * self._processes))
            while waiting:
                done = waiting.popleft().result()
                waiting.extend(self._pool.submit(function, part) for part in islice(remaining, 1))
                yield done
        except BrokenProcessPool:
            raise BuildError("A process of the build was ended; is there enough memory? Nothing was built.") from None

    def close(self) -> None:
        if self._has_started:
            self._pool.shutdown(cancel_futures=True)

    @cached_property
    def _pool(self) -> ProcessPoolExecutor:
        self._has_started = True
        return ProcessPoolExecutor(self._processes, get_context("spawn"), self._setup)
