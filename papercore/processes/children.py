"""Processes for work that may take too long or too much memory: they answer messages until they are ended."""

import faulthandler
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import IO

import papercore

_FOLDER = Path(papercore.__file__).parent.parent
# A message is its length, then its bytes.
LENGTH_BYTES = 4


class ChildProcess:
    """One process that runs a module of ours, and the pipes that messages and answers go through."""

    def __init__(self, module: str, answer_seconds: float) -> None:
        self._answer_seconds = answer_seconds
        self._is_late = False
        self._process = subprocess.Popen(  # noqa: S603 (nothing from outside)
            [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_FOLDER
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    def exit_code(self) -> int:
        """Of a process that has ended, or is about to."""
        return self._process.wait()

    def ask(self, message: bytes) -> bytes:
        """The answer; empty if the process ended over it. TimeoutError if it takes too long."""
        if not (self._process.stdin and self._process.stdout):
            return b""
        # A pipe has no time limit of its own on every system.
        timer = Timer(self._answer_seconds, self._end_late)
        timer.daemon = True
        timer.start()
        try:
            _write_message(self._process.stdin, message)
            answer = _read_message(self._process.stdout)
        except OSError:  # the process has ended: a broken pipe, and another error on Windows
            answer = b""
        finally:
            timer.cancel()
        if not answer and self._is_late:
            raise TimeoutError
        return answer

    def _end_late(self) -> None:
        self._is_late = True
        self._process.kill()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what could not be written any more
                if pipe:
                    pipe.close()


def answer_parent(answer: Callable[[bytes], object], seconds: float, memory_bytes: int) -> None:
    """What a child does: answer one message after the other as JSON, each within this time."""
    # A terminal and systemd signal all processes, but what is being answered needs this one to its end.
    # It ends when its parent does, because then there is nothing more to read.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    limit_memory(memory_bytes)
    # A parent that has ended meanwhile takes no answer.
    with suppress(BrokenPipeError), sys.stdin.buffer as messages, _claim_stdout() as answers:
        while message := _read_message(messages):
            with time_limit(seconds):
                answered = answer(message)
            _write_message(answers, json.dumps(answered).encode())


def _claim_stdout() -> IO[bytes]:
    """The pipe to the parent; what anything else prints is dropped."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return answers


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


def _read_message(channel: IO[bytes]) -> bytes:
    """The next message; empty when the other side is gone."""
    length = int.from_bytes(channel.read(LENGTH_BYTES))
    message = channel.read(length)
    return message if len(message) == length else b""


def _write_message(channel: IO[bytes], message: bytes) -> None:
    channel.write(len(message).to_bytes(LENGTH_BYTES) + message)
    channel.flush()
