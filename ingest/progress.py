"""Progress of long commands: bars with rates on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Protocol, TextIO, TypeVar

from tqdm import tqdm

T = TypeVar("T")
_SECONDS_BETWEEN_LINES = 5.0


class TaskProgress(Protocol):
    """Receives the messages of a task and watches its loops."""

    def say(self, message: str) -> None: ...

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]: ...


class NoProgress:
    """For callers who only want the result."""

    def say(self, message: str) -> None:
        pass

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        yield from items


class CommandOutput(Protocol):
    """A management command's stderr: each write is a line."""

    def write(self, msg: str) -> None: ...

    def isatty(self) -> bool: ...


class LineProgress:
    """For logs: a line when a loop ends, and every few seconds while it runs."""

    def __init__(self, output: CommandOutput) -> None:
        self._output = output

    def say(self, message: str) -> None:
        self._output.write(message)

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        start = last_line = time.monotonic()
        count = 0
        for count, item in enumerate(items, 1):
            yield item
            if time.monotonic() - last_line >= _SECONDS_BETWEEN_LINES:
                last_line = time.monotonic()
                self._write_rate(label, count, last_line - start, total)
        self._write_rate(label, count, time.monotonic() - start, None)

    def _write_rate(self, label: str, count: int, seconds: float, total: int | None) -> None:
        rate = count / max(seconds, 0.001)
        left = f", {(total - count) / rate:,.0f} s left" if total and count else ""
        digits = 0 if rate >= 10 else 1
        self._output.write(f"{label}: {count:,}, {rate:,.{digits}f}/s{left}")


class BarProgress:
    """For a person at a terminal."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal

    def say(self, message: str) -> None:
        tqdm.write(message, file=self._terminal)

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        yield from tqdm(items, desc=label, total=total, unit="", file=self._terminal)


def command_progress(stderr: CommandOutput) -> TaskProgress:
    # A bar redraws its line, and a command's stderr ends every write with a line feed.
    return BarProgress(sys.stderr) if stderr.isatty() else LineProgress(stderr)
