"""Processes for work that may take too long or too much memory: they answer messages until they are ended."""

import json
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from io import BufferedRWPair
from pathlib import Path

import papercore

_FOLDER = Path(papercore.__file__).parent.parent
# A message is its length, then its bytes.
_LENGTH_BYTES = 4


class ChildProcess:
    """One process that runs a module of ours, and the socket that messages and answers go through."""

    def __init__(self, module: str, answer_seconds: float) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = subprocess.Popen(  # noqa: S603 (nothing from outside)
                    [sys.executable, "-m", module], stdin=theirs.fileno(), stdout=subprocess.DEVNULL, cwd=_FOLDER
                )
            except OSError:
                self._socket.close()
                raise
        self._socket.settimeout(answer_seconds)
        self._channel = self._socket.makefile("rwb")

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
        try:
            _write_message(self._channel, message)
            return _read_message(self._channel)
        except ConnectionError:
            return b""

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        with suppress(OSError):  # what could not be written any more
            self._channel.close()
        self._socket.close()


def answer_parent(answer: Callable[[bytes], object], seconds: float, memory_bytes: int) -> None:
    """What a child does: answer one message after the other as JSON, each within this CPU time."""
    # A terminal and systemd signal all processes, but what is being answered needs this one to its end.
    # It ends when its parent does, because then there is nothing more to read.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    with socket.socket(fileno=sys.stdin.fileno()) as parent, parent.makefile("rwb") as channel:
        while message := _read_message(channel):
            # The kernel ends the process when the time is over: nothing in it can refuse, not even native code.
            signal.setitimer(signal.ITIMER_PROF, seconds)
            answered = answer(message)
            signal.setitimer(signal.ITIMER_PROF, 0)
            _write_message(channel, json.dumps(answered).encode())


def _read_message(channel: BufferedRWPair) -> bytes:
    """The next message; empty when the other side is gone."""
    return channel.read(int.from_bytes(channel.read(_LENGTH_BYTES)))


def _write_message(channel: BufferedRWPair, message: bytes) -> None:
    channel.write(len(message).to_bytes(_LENGTH_BYTES) + message)
    channel.flush()
