"""What runs in a ChildProcess: it takes its limits, confines itself, and answers messages until its parent is gone."""

import faulthandler
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO

import msgspec

from papercore.processes.children import (
    END,
    FAILURE,
    PART,
    ChildLimits,
    ChildTask,
    Unanswerable,
    read_message,
    write_message,
)
from papercore.processes.confinement import confine

MESSAGE_BYTES = 100_000_000
AnswerFunction = Callable[[bytes], Iterable[object]]


def main() -> None:
    task = msgspec.json.decode(sys.argv[1], type=ChildTask)
    # A terminal and systemd signal all processes, but what is being answered needs this one to its end.
    # It ends when its parent does, because then there is nothing more to read.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    module, _, name = task.function.partition(":")
    answers: AnswerFunction = getattr(import_module(module), name)
    limit_resources(task.limits)
    folder = Path(task.folder) if task.folder else None
    confine([Path(path) for path in task.readable], folder)
    # A parent that has ended meanwhile takes no answer.
    with suppress(BrokenPipeError), sys.stdin.buffer as messages, _claim_stdout() as channel:
        while message := read_message(messages, MESSAGE_BYTES):
            with time_limit(task.limits.seconds):
                _answer(answers, message, channel)


def _answer(answers: AnswerFunction, message: bytes, channel: IO[bytes]) -> None:
    try:
        for answer in answers(message):
            write_message(channel, PART + json.dumps(answer).encode())
        last = END
    except BrokenPipeError:
        raise
    except Unanswerable as error:
        last = FAILURE + str(error).encode("utf-8", "replace")
    except MemoryError:
        last = FAILURE + b"it needs too much memory"
    except RecursionError:
        last = FAILURE + b"it is nested too deeply"
    except Exception as error:  # noqa: BLE001 (any message must get an answer)
        # By type and place alone: the message of the error may hold the text.
        trace = error.__traceback__
        while trace and trace.tb_next:
            trace = trace.tb_next
        place = f" in {trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else ""
        last = FAILURE + f"reading it failed ({type(error).__name__}{place})".encode()
    write_message(channel, last)


def what_holds(_message: bytes) -> Iterator[object]:
    """Try what a child must not be able to do; for `papersite doctor`."""
    yield {
        "files": _is_refused(lambda: list(Path("/").iterdir())),
        "network": _is_refused(lambda: socket.socket().close()),
        "processes": _is_refused(lambda: os.kill(os.getppid(), 0)),
    }


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except PermissionError:
        return True
    return False


def _claim_stdout() -> IO[bytes]:
    """The pipe to the parent; what anything else prints is dropped."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return answers


def limit_resources(limits: ChildLimits) -> None:
    """Let what exceeds them fail. Windows has no such limits, and macOS knows that on memory but refuses it."""
    try:
        import resource
    except ImportError:
        return
    for name, value in (
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # refused, or a lower limit holds already
            resource.setrlimit(name, (value, value))


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


if __name__ == "__main__":
    main()
