"""Standard input by lines, for a server that has to know whether its client has sent more than it has read."""

import os
import select
from collections import deque

import anyio

CHUNK = 65_536


class InputLines:
    """Read on the event loop, so that nothing can be on its way in a thread that does not get to run."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._ended = False

    def __aiter__(self) -> "InputLines":
        return self

    async def __anext__(self) -> str:
        while not self._lines:
            if self._ended:
                raise StopAsyncIteration
            await self._read()
        return self._lines.popleft().decode(errors="replace")

    @property
    def all_read(self) -> bool:
        """Whether every whole line that was sent has been handed on."""
        return not self._lines and (self._ended or not _has_more(self._descriptor))

    async def _read(self) -> None:
        try:
            await anyio.wait_readable(self._descriptor)
        except PermissionError:
            await anyio.sleep(0)  # a file, which is always readable
        chunk = os.read(self._descriptor, CHUNK)
        self._ended = not chunk
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self._lines += lines
        if self._ended and self._rest:
            self._lines.append(self._rest)


def can_watch_input() -> bool:
    """Whether the platform can say that a pipe has more to read."""
    return hasattr(select, "poll")


def _has_more(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
