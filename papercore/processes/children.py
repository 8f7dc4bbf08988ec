"""Processes for work that may take too long or too much memory: they answer messages until they are ended."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import IO

import papercore
from papercore.processes.limits import limit_memory, time_limit

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
        # A pipe has no time limit of its own on every system.
        timer = Timer(self._answer_seconds, self._end_late)
        timer.daemon = True
        timer.start()
        try:
            answer = self._exchange(message)
        finally:
            timer.cancel()
        if not answer and self._is_late:
            raise TimeoutError
        return answer

    def _exchange(self, message: bytes) -> bytes:
        if not (self._process.stdin and self._process.stdout):
            return b""
        try:
            _write_message(self._process.stdin, message)
        except OSError:  # the process has ended: a broken pipe, and another error on Windows
            return b""
        return _read_message(self._process.stdout)

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


def _read_message(channel: IO[bytes]) -> bytes:
    """The next message; empty when the other side is gone."""
    length = int.from_bytes(channel.read(LENGTH_BYTES))
    message = channel.read(length)
    return message if len(message) == length else b""


def _write_message(channel: IO[bytes], message: bytes) -> None:
    channel.write(len(message).to_bytes(LENGTH_BYTES) + message)
    channel.flush()
