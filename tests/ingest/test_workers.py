"""Processes that work for a build: results in order, faults told, nothing left over."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice

import pytest

from ingest.entries.entry import BuildError
from ingest.workers import Workers

SET_UP = "PAPERSITE_TEST_SET_UP"


def squared(number: int) -> int:
    return number * number


def process_of(number: int) -> int:
    return os.getpid()


def refused_above_five(number: int) -> int:
    if number > 5:
        raise ValueError(f"{number} is too much")
    return number


def killed(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def set_up() -> None:
    os.environ[SET_UP] = "yes"


def is_set_up(number: int) -> bool:
    return os.environ.get(SET_UP) == "yes"


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workers]:
    monkeypatch.setattr("ingest.workers.os.sched_getaffinity", lambda _: {0, 1})
    with closing(Workers(set_up)) as made:
        yield made


def test_results_come_in_the_order_of_the_parts_from_other_processes(workers: Workers) -> None:
    assert list(workers.map(squared, range(50))) == [number * number for number in range(50)]
    assert os.getpid() not in set(workers.map(process_of, range(8)))
    assert list(workers.map(squared, [])) == []
    assert list(workers.map(squared, [3])) == [9]


def test_large_parts_and_results_pass(workers: Workers) -> None:
    parts = [str(number) * 2_000_000 for number in range(6)]
    assert list(workers.map(str.upper, parts)) == parts


def test_each_process_is_set_up_and_this_one_is_not(workers: Workers) -> None:
    assert all(workers.map(is_set_up, range(4)))
    assert not is_set_up(0)


def test_an_error_is_raised_here_after_the_results_before_it(workers: Workers) -> None:
    found: list[int] = []
    with pytest.raises(ValueError, match="6 is too much"):
        found.extend(workers.map(refused_above_five, range(100)))
    assert list(workers.map(squared, range(3))) == [0, 1, 4]


def test_whoever_stops_early_leaves_no_results_for_the_next(workers: Workers) -> None:
    with closing(workers.map(squared, count())) as found:
        assert list(islice(found, 3)) == [0, 1, 4]
    assert list(workers.map(refused_above_five, range(4))) == [0, 1, 2, 3]


def test_a_process_that_is_killed_is_told(workers: Workers) -> None:
    with pytest.raises(BuildError, match="A process of the build was ended"):
        list(workers.map(killed, range(10)))


def test_on_one_core_this_process_does_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.workers.os.sched_getaffinity", lambda _: {0})
    with closing(Workers()) as alone:
        assert set(alone.map(process_of, range(4))) == {os.getpid()}
