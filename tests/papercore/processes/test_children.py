"""A process that answers messages: in time, too late, and not at all."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from papercore.processes.children import LENGTH_BYTES, ChildProcess
from tests.platforms import WITHOUT_POSIX, run_script

RENDERER = "papercore.rendering.child"
MESSAGE = json.dumps({"text": "# A *title*", "pictures": "", "prefix": "s", "top": 2, "passages": False}).encode()
TIME_LIMITS = """
import re
from papercore.processes.children import limit_memory, time_limit

limit_memory(4_000_000_000)
with time_limit(20):
    print("short work is not disturbed", flush=True)
with time_limit(0.2):
    re.match(r"(a+)+$", "a" * 60 + "b")
print("never reached")
"""


@contextmanager
def started(answer_seconds: float) -> Iterator[ChildProcess]:
    process = ChildProcess(RENDERER, answer_seconds)
    try:
        yield process
    finally:
        process.stop()
        assert not process.alive()


def test_messages_are_answered_one_after_the_other() -> None:
    with started(60) as process:
        assert [b"title" in process.ask(MESSAGE) for _ in range(3)] == [True] * 3


def test_an_answer_that_comes_too_late_is_a_timeout() -> None:
    with started(0.001) as process, pytest.raises(TimeoutError):
        process.ask(MESSAGE)


def test_a_process_that_was_killed_gives_an_empty_answer() -> None:
    with started(60) as process:
        os.kill(process.pid, signal.SIGKILL)
        assert (process.exit_code(), process.ask(MESSAGE)) == (-signal.SIGKILL, b"")


def test_a_process_whose_parent_has_ended_ends_without_a_word() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-m", RENDERER], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.close()
        process.stdin.write(len(MESSAGE).to_bytes(LENGTH_BYTES) + MESSAGE)
        process.stdin.flush()
        assert process.wait(60) == 0
        assert process.stderr
        assert process.stderr.read() == b""


@pytest.mark.parametrize("platform", [None, WITHOUT_POSIX])
def test_a_process_ends_when_its_time_is_over(platform: Path | None) -> None:
    result = run_script(TIME_LIMITS, platform=platform)
    assert (result.returncode != 0, result.stdout) == (True, "short work is not disturbed\n"), result.stderr
