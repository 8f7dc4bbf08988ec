"""The pace of requests to a host: in one process, over several, and where the shared file is of no use."""

import asyncio
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paper_search.config import KNOWN_SOURCES
from paper_search.sources import http
from paper_search.sources.http import LONGEST_QUEUE_SECONDS, Throttle, shared_throttle
from paper_search.sources.interface import SourceError

# Asks a host of its own accord a few times, and prints when each request could be sent.
ASKING = """
import asyncio, pathlib, sys, time
from paper_search.sources.http import Throttle

async def ask():
    own = Throttle(10.0, "export.arxiv.org", pathlib.Path(sys.argv[1]))
    for _ in range(4):
        await own.wait()
        print(time.monotonic(), flush=True)

asyncio.run(ask())
"""


def waits_of(*made: Throttle, now: float = 100.0) -> list[float]:
    """How long each throttle would make its caller wait, one after the other at the same moment."""
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(round(seconds, 3))

    async def scene() -> None:
        for one in made:
            one.sleep, one.clock = note, lambda: now
            before = len(waits)
            await one.wait()
            waits.extend([0.0] * (len(waits) == before))

    asyncio.run(scene())
    return waits


def test_requests_are_spread() -> None:
    own = Throttle(1 / 3)
    assert waits_of(own, own, own) == [0.0, 3.0, 6.0]


def test_throttles_with_one_file_share_the_pace_of_a_host(tmp_path: Path) -> None:
    file = tmp_path / "pace"
    same = [Throttle(1 / 3, "export.arxiv.org", file) for _ in range(3)]
    assert waits_of(*same, Throttle(1 / 3, "api.crossref.org", file)) == [0.0, 3.0, 6.0, 0.0]


def test_several_processes_keep_one_pace(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ASKING, str(tmp_path / "pace")]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    times = sorted(float(line) for child in children for line in child.communicate(timeout=60)[0].split())
    assert len(times) == 16
    # A turn is never early; one that is taken late, on a busy machine, may come close to the next.
    assert times[-1] - times[0] >= 15 * 0.1 - 0.05


def test_a_queue_that_is_too_long_is_refused_and_takes_no_turn(tmp_path: Path) -> None:
    own = Throttle(1 / LONGEST_QUEUE_SECONDS, "a.example", tmp_path / "pace")
    assert waits_of(own, own) == [0.0, LONGEST_QUEUE_SECONDS]
    for _ in range(2):
        with pytest.raises(SourceError, match="too many searches"):
            waits_of(own)


@pytest.mark.parametrize("stored", [b"", b"\x01", b"\xff" * http.PLACES * 8, b"\x7f" * http.PLACES * 8])
def test_a_file_with_nothing_usable_is_written_anew(tmp_path: Path, stored: bytes) -> None:
    file = tmp_path / "pace"
    file.write_bytes(stored)
    own = Throttle(1.0, "a.example", file)
    assert waits_of(own, own) == [0.0, 1.0]


def test_times_from_before_the_machine_was_started_again_do_not_count(tmp_path: Path) -> None:
    file = tmp_path / "pace"
    assert waits_of(Throttle(1.0, "a.example", file), now=90_000.0) == [0.0]
    assert waits_of(Throttle(1.0, "a.example", file), now=20.0) == [0.0]


def test_the_file_never_grows_beyond_its_places(tmp_path: Path) -> None:
    file = tmp_path / "pace"
    waits_of(*(Throttle(1000.0, f"{number}.example", file) for number in range(300)))
    assert file.stat().st_size <= http.PLACES * 8


@pytest.mark.parametrize("hindrance", ["folder", "link", "missing"])
def test_without_a_usable_file_the_process_keeps_its_own_pace(tmp_path: Path, hindrance: str) -> None:
    file = tmp_path / "pace"
    if hindrance == "folder":
        file.mkdir()
    elif hindrance == "link":
        (tmp_path / "elsewhere").write_bytes(b"")
        file.symlink_to(tmp_path / "elsewhere")
    else:
        file = tmp_path / "no such folder" / "pace"
    own = Throttle(1.0, "a.example", file)
    assert waits_of(own, own) == [0.0, 1.0]


def test_a_lock_that_is_never_released_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "LOCK_ATTEMPTS", 2)
    file = tmp_path / "pace"
    with file.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        own = Throttle(1.0, "a.example", file)
        assert waits_of(own, own) == [0.0, 1.0]


def test_addresses_of_one_host_share_a_throttle() -> None:
    assert shared_throttle("https://a.example/x", 1.0) is shared_throttle("https://a.example/y", 1.0)
    assert shared_throttle("https://a.example/x", 1.0) is not shared_throttle("https://b.example/x", 1.0)


def test_arxiv_is_asked_once_in_three_seconds_and_shares_its_place_with_no_other_source(tmp_path: Path) -> None:
    hosts = {source.base_url: shared_throttle(source.base_url, source.rate_limit) for source in KNOWN_SOURCES.values()}
    file = tmp_path / "pace"
    made = [Throttle(known.rate, known.host, file) for known in hosts.values() if known.host]
    assert waits_of(*made) == [0.0] * len(made)
    arxiv = hosts[KNOWN_SOURCES["arxiv"].base_url]
    assert arxiv.file is not None
    assert arxiv.file.name.endswith(str(os.getuid()))
    assert waits_of(Throttle(arxiv.rate, arxiv.host, file)) == [3.0]
