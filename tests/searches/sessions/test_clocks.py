"""A clock that is set: sessions do not seem old because of it."""

from dataclasses import dataclass

import pytest

from papercore.limits import SESSION_IDLE_SECONDS
from searches.sessions.clocks import Interval, WallClock


@dataclass
class Time:
    """Both clocks of a computer."""

    wall: float = 1_700_000_000.0
    monotonic: float = 5_000.0

    def pass_by(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def clock(time: Time) -> WallClock:
    return WallClock(lambda: time.wall, lambda: time.monotonic)


def test_ages_are_told_while_the_clock_only_runs_and_is_corrected(time: Time, clock: WallClock) -> None:
    assert clock.tells_ages()
    time.pass_by(1_000_000)
    time.wall += 30
    assert clock.tells_ages()


@pytest.mark.parametrize("jump", [3600, -3600, 61, -61])
def test_ages_are_not_told_until_those_who_were_at_work_had_time_to_show_it(
    jump: float, time: Time, clock: WallClock
) -> None:
    time.wall += jump
    assert not clock.tells_ages()
    time.pass_by(SESSION_IDLE_SECONDS - 1)
    assert not clock.tells_ages()
    time.pass_by(1)
    assert clock.tells_ages()


def test_a_clock_that_is_set_twice_is_noticed_twice(time: Time, clock: WallClock) -> None:
    time.wall += 3600
    assert not clock.tells_ages()
    time.pass_by(SESSION_IDLE_SECONDS)
    time.wall -= 3600
    assert not clock.tells_ages()


def test_an_interval_is_due_once() -> None:
    interval = Interval(60)
    assert [interval.is_due() for _ in range(3)] == [True, False, False]
