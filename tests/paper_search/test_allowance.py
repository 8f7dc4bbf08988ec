"""Allowances: so many calls at once, more as time passes, each client its own."""

from paper_search import allowance
from paper_search.allowance import Allowance


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_minutes_worth_may_be_used_at_once_and_comes_back_evenly() -> None:
    clock = Clock()
    calls = Allowance(6, clock)
    assert [calls.take("a") for _ in range(6)] == [0] * 6
    assert calls.take("a") == 10
    assert calls.wait("a") == 10, "a refused call costs nothing"
    clock.now += 10
    assert calls.take("a") == 0
    assert calls.take("a") == 10
    clock.now += 3600
    assert [calls.take("a") for _ in range(7)] == [0] * 6 + [10]


def test_clients_do_not_use_up_each_others() -> None:
    calls = Allowance(1, Clock())
    assert calls.take("a") == 0
    assert calls.take("a") == 60
    assert calls.take("b") == 0


def test_zero_sets_no_limit() -> None:
    calls = Allowance(0, Clock())
    assert not any(calls.take("a") for _ in range(1000))


def test_only_so_many_clients_are_remembered() -> None:
    calls = Allowance(1, Clock())
    for number in range(allowance.CLIENTS + 1):
        calls.take(str(number))
    assert calls.take("0") == 0, "the oldest is forgotten"
    assert calls.take(str(allowance.CLIENTS)) == 60
