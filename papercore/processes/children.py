"""The one kind of process in which files and texts of strangers are opened: limited, confined, ended when it must be.

    with closing(ChildProcess("ingest.pdf.reading:answers", ChildLimits(...), readable=[folder])) as child:
        text = child.ask(message)             # one answer, or
        for part in child.answers(message):   # several, as they come; leave the loop to cancel
            ...

The function takes the bytes of a message and yields what goes back as JSON; it raises Unanswerable with the reason in
words. Whatever else happens in the child is a ChildFailed here, whose text completes "It cannot be read: ...".
"""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Lock, Timer
from typing import IO
from weakref import WeakSet

import msgspec
from msgspec import Struct, convert

import papercore

_FOLDER = Path(papercore.__file__).parent.parent
# A message or an answer is its length, then its bytes. An answer begins with what it is.
LENGTH_BYTES = 4
PART, END, FAILURE = b"+", b".", b"!"
# What a child gets of the environment: how Python and the system find their files and show text. No secrets.
_ENVIRONMENT = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"),
    *("VIRTUAL_ENV", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "PYTHONWARNINGS", "PYTHONHASHSEED"),
)
# Threads that were started before would not be confined.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class ChildLimits(Struct, frozen=True):
    """What a child may take for one message: processor time, time by the clock for each part of the answer, memory;
    the size of a part, of each file that it writes, and how many files it may have open."""

    seconds: float
    wait_seconds: float
    memory_bytes: int
    part_bytes: int = 100_000_000
    file_bytes: int = 0
    open_files: int = 64


class ChildTask(Struct, frozen=True):
    """What a child is told when it starts: its function as `module:name`, its limits, and what it may open."""

    function: str
    limits: ChildLimits
    readable: tuple[str, ...] = ()
    folder: str = ""


class Unanswerable(ValueError):
    """Raised in a child: there is no answer, and the text says why."""


class ChildFailed(Exception):
    """There is no answer, or no more of it; the text says why. `is_refused` if the child said so itself."""

    def __init__(self, reason: str, *, is_refused: bool = False) -> None:
        super().__init__(reason)
        self.is_refused = is_refused


class ChildCancelled(ChildFailed):
    """Nobody waits for the answer any more; nothing is known of the message."""


class ChildLate(ChildFailed):
    """The answer took too long by the clock: the message may be at fault, or a busy machine."""


class ChildGroup:
    """The children of one piece of work, which another thread can cancel: those at work, and those yet to start."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._children = WeakSet["ChildProcess"]()
        self.is_cancelled = False

    @contextmanager
    def entered(self) -> Iterator[None]:
        """What is started in this context belongs to the group."""
        token = _group.set(self)
        try:
            yield
        finally:
            _group.reset(token)

    def add(self, child: "ChildProcess") -> None:
        with self._lock:
            self._children.add(child)
            is_cancelled = self.is_cancelled
        if is_cancelled:
            child.close()

    def cancel(self) -> None:
        with self._lock:
            self.is_cancelled = True
            children = list(self._children)
        for child in children:
            child.close()


_group: ContextVar[ChildGroup | None] = ContextVar("children", default=None)


class ChildProcess:
    """A process that answers messages, one at a time; after a ChildFailed that it did not say itself, it has ended.

    It may read the code it runs and what is `readable`, write into its `folder`, and use no network. `close` may be
    called by another thread: whoever waits for an answer then gets a ChildFailed.
    """

    def __init__(
        self, function: str, limits: ChildLimits, readable: Sequence[Path] = (), folder: Path | None = None
    ) -> None:
        self._limits = limits
        self._is_late = False
        self._is_closed = False
        task = ChildTask(
            function, limits, tuple(str(path.absolute()) for path in readable), str(folder.absolute() if folder else "")
        )
        self._process = subprocess.Popen(  # noqa: S603 (nothing from outside)
            [sys.executable, "-m", "papercore.processes.child", msgspec.json.encode(task).decode()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=_FOLDER,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ} | _ONE_THREAD,
        )
        assert self._process.stdin  # noqa: S101 (asked for above)
        assert self._process.stdout  # noqa: S101
        self._messages: IO[bytes] = self._process.stdin
        self._answers: IO[bytes] = self._process.stdout
        if group := _group.get():
            group.add(self)

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    def exit_code(self) -> int:
        """Of a process that has ended, or is about to."""
        return self._process.wait()

    def ask(self, message: bytes) -> object:
        """The only answer to a message."""
        (answer,) = self.answers(message)
        return answer

    def answers(self, message: bytes) -> Generator[object]:
        """Each part of the answer, as it comes. A loop that is left early ends the process."""
        is_in_step = False
        try:
            try:
                write_message(self._messages, message)
            except (OSError, ValueError):  # it has ended: a broken or closed pipe
                raise self._failure() from None
            while (kind_and_part := self._next())[:1] == PART:
                yield json.loads(kind_and_part[1:])
            is_in_step = True
            if kind_and_part[:1] == FAILURE:
                raise ChildFailed(kind_and_part[1:].decode(), is_refused=True)
        finally:
            if not is_in_step:
                self._process.kill()

    def _next(self) -> bytes:
        # A pipe has no time limit of its own on every system.
        timer = Timer(self._limits.wait_seconds, self._end_late)
        timer.daemon = True
        timer.start()
        try:
            answer = read_message(self._answers, self._limits.part_bytes)
        except (OSError, ValueError):
            answer = b""
        finally:
            timer.cancel()
        if not answer:
            raise self._failure()
        return answer

    def _end_late(self) -> None:
        self._is_late = True
        self._process.kill()

    def _failure(self) -> ChildFailed:
        """Why nothing more came. The exit code tells neither memory from a crash, nor one time limit from another."""
        self._process.kill()
        if self._is_closed:
            return ChildCancelled("it was cancelled")
        if self._is_late:
            return ChildLate(f"it takes longer than {self._limits.wait_seconds:g} s to read")
        memory = self._limits.memory_bytes // 10**6
        return ChildFailed(f"it takes more than {self._limits.seconds:g} s or {memory:,} MB to read")

    def close(self) -> None:
        self._is_closed = True
        self._process.kill()
        self._process.wait()
        for pipe in (self._messages, self._answers):
            with suppress(OSError, ValueError):  # what could not be written any more
                pipe.close()


def confinement_gaps() -> list[str]:
    """What a child of ours could do here although it must not; a child is started to try it."""
    with closing(ChildProcess("papercore.processes.child:what_holds", ChildLimits(10, 30, 1_000_000_000))) as child:
        holds = convert(child.ask(b"?"), dict[str, bool])
    return [name for name, is_refused in holds.items() if not is_refused]


def read_message(channel: IO[bytes], most: int) -> bytes:
    """The next message; empty when the other side is gone, or sends more than it may."""
    length = int.from_bytes(channel.read(LENGTH_BYTES))
    if length > most:
        return b""
    message = channel.read(length)
    return message if len(message) == length else b""


def write_message(channel: IO[bytes], message: bytes) -> None:
    channel.write(len(message).to_bytes(LENGTH_BYTES) + message)
    channel.flush()
