"""A database that is locked while a search is at work: the step is stored after it, and no claim is left behind."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.utils import timezone

from papercore.caller import Caller
from searches import tools
from searches.models import SearchSession, Status
from searches.sessions import store, worker
from tests.searches.conftest import finish_work
from tests.server import wait_for


class Lock:
    """Another process's write lock: taken as soon as a session is claimed, given back after so many refusals."""

    def __init__(self, database: Path, refusals: int) -> None:
        self.left = refusals
        self._other = sqlite3.connect(database, check_same_thread=False)

    def watch(self, connection: BaseDatabaseWrapper, **_: object) -> None:
        if self._execute not in connection.execute_wrappers:
            connection.execute_wrappers.append(self._execute)

    def _execute(self, execute: Callable[..., object], sql: str, *more: object) -> object:
        try:
            result = execute(sql, *more)
        except OperationalError:
            self.left -= 1
            if self.left == 0:
                self._other.rollback()
            raise
        if self.left > 0 and sql.startswith("UPDATE") and not self._other.in_transaction:
            self._other.execute("BEGIN IMMEDIATE")
        return result

    def close(self) -> None:
        self._other.close()


@pytest.fixture
def lock(database: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], Lock]]:
    """Connections of threads to come wait a moment for a lock, not ten seconds."""
    options = connections.settings["default"]["OPTIONS"]
    monkeypatch.setitem(options, "timeout", 0.05)
    monkeypatch.setattr(worker, "RETRY_SECONDS", 0.01)
    made: list[Lock] = []

    def make(refusals: int) -> Lock:
        made.append(Lock(database, refusals))
        connection_created.connect(made[-1].watch, weak=False)
        return made[-1]

    yield make
    finish_work()
    for held in made:
        connection_created.disconnect(held.watch)
        held.close()


@pytest.mark.parametrize("refusals", [1, 3])
def test_a_step_that_meets_a_lock_is_stored_after_it(refusals: int, lock: Callable[[int], Lock]) -> None:
    row = store.create("attention", "general", 100, Caller())
    held = lock(refusals)
    worker.resume(row)
    finish_work()
    assert held.left == 0, "the lock was met"
    row.refresh_from_db()
    assert (row.status, row.lease, row.lease_until) == (Status.WAITING, "", None)
    assert tools.decide(row.pk, "approve").current_checkpoint_kind == "result_review"


def test_a_lock_that_outlasts_the_claim_leaves_the_session_to_whoever_looks_next(
    lock: Callable[[int], Lock], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(store, "LEASE_SECONDS", 0.2)
    row = store.create("attention", "general", 100, Caller())
    held = lock(1_000_000)
    worker.resume(row)
    finish_work()
    held.left = 0
    held.close()
    row.refresh_from_db()
    assert row.status == Status.RUNNING
    assert row.lease_until is not None
    assert row.lease_until <= timezone.now()
    assert "could not be stored" in caplog.text
    assert tools.get_session(row.pk, wait_seconds=20).current_checkpoint_kind == "strategy_confirmation"


def test_a_claim_is_renewed_again_after_a_lock(lock: Callable[[int], Lock], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "RENEW_SECONDS", 0.01)
    row = store.create("attention", "general", 100, Caller())
    claimed = store.claim(row.pk, "worker")
    assert claimed is not None
    held = lock(2)
    with worker.ProgressWriter(row.pk, "worker"):
        wait_for(lambda: held.left == 0, "two refusals")
        wait_for(lambda: SearchSession.objects.get(pk=row.pk).version > 1, "the claim is renewed")
