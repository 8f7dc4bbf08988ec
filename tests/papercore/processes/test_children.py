"""A process that answers messages: in time, too late, in parts, not at all; and what it cannot do."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from papercore.processes.child import what_holds
from papercore.processes.children import (
    LENGTH_BYTES,
    ChildFailed,
    ChildLate,
    ChildLimits,
    ChildProcess,
    ChildTask,
    Unanswerable,
    confinement_gaps,
)
from tests.platforms import WITHOUT_POSIX, run_script

LIMITS = ChildLimits(seconds=20, wait_seconds=60, memory_bytes=1_000_000_000)
TIME_LIMITS = """
import re
from papercore.processes.child import limit_resources, time_limit
from papercore.processes.children import ChildLimits

limit_resources(ChildLimits(20, 60, 4_000_000_000))
with time_limit(20):
    print("short work is not disturbed", flush=True)
with time_limit(0.2):
    re.match(r"(a+)+$", "a" * 60 + "b")
print("never reached")
"""
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux confines")


def words(message: bytes) -> Iterator[object]:
    yield from message.decode().split()


def misbehave(message: bytes) -> Iterator[object]:
    """What a hostile file may make of its reader; each attempt says what came of it."""
    name, _, argument = message.decode().partition(" ")
    attempts: dict[str, Callable[[], object]] = {
        "read": lambda: Path(argument).read_text(),
        "write": lambda: Path(argument).write_text("written"),
        "delete": lambda: Path(argument).unlink(),
        "chmod": lambda: Path(argument).chmod(0o777),
        "tcp": lambda: socket.socket().connect_ex(("127.0.0.1", int(argument))),
        "udp": lambda: socket.socket(type=socket.SOCK_DGRAM).close(),
        "unix": lambda: socket.socket(socket.AF_UNIX).close(),
        "run": lambda: subprocess.run([sys.executable, "-c", ""], check=True).returncode,
        "fork": os.fork,
        "kill": lambda: os.kill(os.getppid(), 0),
        "environment": lambda: os.environ.get(argument, ""),
        "memory": lambda: len(bytearray(3_000_000_000)),
        "output": lambda: "x" * 200_000_000,
        "files": lambda: len([os.open(os.devnull, os.O_RDONLY) for _ in range(1000)]),
        "refuse": lambda: _refuse(argument),
        "fail": lambda: int("secret text"),
        "thread": lambda: threading.Thread(target=str).start(),
        "hang": lambda: threading.Event().wait(),
        "loop": lambda: all(True for _ in iter(int, 1)),
        "crash": os.abort,
    }
    try:
        yield {"done": str(attempts[name]())} if name != "output" else attempts[name]()
    except OSError as error:
        yield {"refused": type(error).__name__}


def _refuse(reason: str) -> None:
    raise Unanswerable(reason)


@contextmanager
def started(function: str = "misbehave", limits: ChildLimits = LIMITS, **places: object) -> Iterator[ChildProcess]:
    child = ChildProcess(f"{__name__}:{function}", limits, **places)  # type: ignore[arg-type]
    with closing(child):
        yield child
    assert not child.alive()


def test_messages_are_answered_one_after_the_other_in_parts() -> None:
    with started("words") as child:
        assert [list(child.answers(b"one two three")), list(child.answers(b"four"))] == [
            ["one", "two", "three"],
            ["four"],
        ]


def test_a_loop_that_is_left_ends_the_process() -> None:
    with started("words") as child:
        for word in child.answers(b"one two three"):
            assert word == "one"
            break
        assert child.exit_code() == -signal.SIGKILL


def test_another_thread_can_cancel() -> None:
    with started() as child:
        threading.Timer(0.1, child.close).start()
        with pytest.raises(ChildFailed, match="cancelled"):
            child.ask(b"hang")


def test_an_answer_that_comes_too_late_is_told() -> None:
    limits = ChildLimits(20, 0.3, 1_000_000_000)
    with started(limits=limits) as child, pytest.raises(ChildLate, match=r"takes longer than 0\.3 s"):
        child.ask(b"hang")


@pytest.mark.parametrize("attempt", [b"loop", b"crash", b"output"])
def test_whatever_ends_the_process_is_one_sentence(attempt: bytes) -> None:
    with started(limits=ChildLimits(0.5, 60, 1_000_000_000)) as child:
        with pytest.raises(ChildFailed, match=r"^it takes more than 0\.5 s or 1,000 MB to read$"):
            child.ask(attempt)
        with pytest.raises(ChildFailed):
            child.ask(b"refuse too late")


@pytest.mark.parametrize(
    ("attempt", "sentence"),
    [
        (b"refuse it is a poem", "it is a poem"),
        (b"memory", "it needs too much memory"),
        (b"fail", r"^reading it failed \(ValueError in <lambda>:\d+\)$"),
    ],
)
def test_a_process_that_gives_a_reason_answers_the_next_message(attempt: bytes, sentence: str) -> None:
    with started() as child:
        with pytest.raises(ChildFailed, match=sentence) as failure:
            child.ask(attempt)
        assert failure.value.is_refused
        assert child.ask(b"environment NOTHING") == {"done": ""}


def test_a_process_that_was_killed_is_told() -> None:
    with started() as child:
        os.kill(child.pid, signal.SIGKILL)
        child.exit_code()
        with pytest.raises(ChildFailed):
            child.ask(b"fork")


def test_it_gets_no_secrets_and_opens_few_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERSITE_SECRET_KEY", "secret")
    with started() as child:
        assert child.ask(b"environment PAPERSITE_SECRET_KEY") == {"done": ""}
        assert child.ask(b"files") == {"refused": "OSError"}


@LINUX
def test_it_reads_and_writes_only_where_it_may(tmp_path: Path) -> None:
    own, other, given = tmp_path / "own", tmp_path / "other", tmp_path / "given.bib"
    for folder in (own, other):
        folder.mkdir()
        (folder / "a").write_text("text")
    given.write_text("given")
    limits = ChildLimits(20, 60, 1_000_000_000, file_bytes=100)
    with started(limits=limits, readable=[given], folder=own) as child:

        def attempt(name: str, path: Path) -> str:
            answer = child.ask(f"{name} {path}".encode())
            assert isinstance(answer, dict)
            return str(answer.get("done", answer.get("refused")))

        assert attempt("read", given) == "given"
        assert [attempt(name, own / "a") for name in ("read", "write", "delete")] == ["text", "7", "None"]
        names = ("read", "write", "delete", "chmod")
        assert [attempt(name, other / "a") for name in names] == ["PermissionError"] * 4
        assert attempt("write", given) == "PermissionError"
        assert attempt("read", Path("/etc/passwd")) == "PermissionError"
    assert (other / "a").read_text() == "text"


@LINUX
@pytest.mark.parametrize("attempt", ["tcp 9", "udp", "unix", "run", "fork", "kill"])
def test_it_reaches_neither_the_network_nor_other_processes(attempt: str) -> None:
    with started() as child:
        assert child.ask(attempt.encode()) == {"refused": "PermissionError"}
        assert child.ask(b"thread") == {"done": "None"}


@LINUX
def test_what_holds_is_tried_and_not_believed() -> None:
    assert confinement_gaps() == []
    assert list(what_holds(b"?")) == [{"files": False, "network": False, "processes": False}]


def test_a_process_whose_parent_has_ended_ends_without_a_word() -> None:
    pipe = subprocess.PIPE
    task = msgspec.json.encode(ChildTask(f"{__name__}:words", LIMITS)).decode()
    command = [sys.executable, "-m", "papercore.processes.child", task]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.close()
        process.stdin.write((3).to_bytes(LENGTH_BYTES) + b"one")
        process.stdin.flush()
        assert process.wait(60) == 0
        assert process.stderr
        assert process.stderr.read() == b""


@pytest.mark.parametrize("platform", [None, WITHOUT_POSIX])
def test_a_process_ends_when_its_time_is_over(platform: Path | None) -> None:
    result = run_script(TIME_LIMITS, platform=platform)
    assert (result.returncode != 0, result.stdout) == (True, "short work is not disturbed\n"), result.stderr
