"""Rate limits: so many calls at once, more as time passes, each client its own."""

import json
import subprocess
import sys
from typing import Any  # JSON as it comes

from papercore.processes import rate_limits as rate_limit
from papercore.processes.rate_limits import ConcurrencyLimit, RateLimit
from tests.server import ROOT


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_minutes_worth_may_be_used_at_once_and_comes_back_evenly() -> None:
    clock = Clock()
    calls = RateLimit(6, clock)
    assert [calls.take("a") for _ in range(6)] == [0] * 6
    assert [calls.take("a") for _ in range(2)] == [10, 10], "a refused call costs nothing"
    clock.now += 10
    assert calls.take("a") == 0
    assert calls.take("a") == 10
    clock.now += 3600
    assert [calls.take("a") for _ in range(7)] == [0] * 6 + [10]


def test_clients_do_not_use_up_each_others() -> None:
    calls = RateLimit(1, Clock())
    assert calls.take("a") == 0
    assert calls.take("a") == 60
    assert calls.take("b") == 0


def test_zero_sets_no_limit() -> None:
    calls = RateLimit(0, Clock())
    assert not any(calls.take("a") for _ in range(1000))
    calls.give_back("a")
    assert calls.take("a") == 0


def test_only_so_many_clients_are_remembered_and_who_must_wait_longest_longest() -> None:
    clock = Clock()
    calls = RateLimit(1, clock)
    clock.now += 30
    calls.take("busy")
    clock.now -= 30
    slots = rate_limit.BUCKETS * rate_limit.SLOTS_IN_BUCKET
    for number in range(2 * slots):
        calls.take(str(number))
    assert sum(1 for number in range(2 * slots) if calls.take(str(number))) < slots
    assert calls.take("busy") == 90


def test_a_call_that_is_given_back_may_be_made_again() -> None:
    calls = RateLimit(2, Clock())
    assert [calls.take("a") for _ in range(3)] == [0, 0, 30]
    calls.give_back("a")
    assert [calls.take("a") for _ in range(2)] == [0, 30]
    calls.give_back("nobody")
    assert [calls.take("nobody") for _ in range(3)] == [0, 0, 30]


def child(command: str) -> Any:
    run = [sys.executable, "-m", "tests.papercore.counting", command]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_forked_processes_count_together() -> None:
    given = child("share")
    assert sum(given) == 1000


def test_a_process_that_is_killed_while_it_counts_holds_nobody_up() -> None:
    assert child("kill") == 1000


def test_each_client_and_all_together_have_a_limit() -> None:
    calls = ConcurrencyLimit(in_all=3, per_client=2)
    assert [calls.enter("a") for _ in range(3)] == [True, True, False]
    assert [calls.enter("b") for _ in range(2)] == [True, False], "three in all"
    calls.leave("a")
    assert calls.enter("b")
    assert not calls.enter("c")
