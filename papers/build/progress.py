"""Tells how a long build is going: bars with rates on a terminal, plain lines elsewhere."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TextIO, TypeVar

from tqdm import tqdm

T = TypeVar("T")
# How often a plain line is due.
_SECONDS = 5.0


class Progress(Protocol):
    """What a build says while it runs."""

    def say(self, message: str) -> None: ...

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]: ...


class Silence:
    """For callers who only want the result."""

    def say(self, message: str) -> None:
        pass

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        yield from items


class PlainLines:
    """For logs: a line when a step ends, and now and then while it runs."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def say(self, message: str) -> None:
        self._write(message)

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        start = due = time.monotonic()
        count = 0
        for count, item in enumerate(items, 1):
            yield item
            if time.monotonic() - due >= _SECONDS:
                due = time.monotonic()
                self._write(_state(label, count, due - start))
        self._write(_state(label, count, time.monotonic() - start))


class Bars:
    """For a person at a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def say(self, message: str) -> None:
        tqdm.write(message, file=self._stream)

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        yield from tqdm(items, desc=label, total=total, unit="", file=self._stream)


def _state(label: str, count: int, seconds: float) -> str:
    return f"{label}: {count:,}, {count / max(seconds, 0.001):,.0f}/s"
