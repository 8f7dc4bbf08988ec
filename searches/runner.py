"""Does the work of running sessions: one thread a session, in whichever process claims it."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone

from paper_search.config import AppConfig, load_config, with_arguments
from paper_search.progress import SourceReport, StepRecord
from paper_search.workflow import SearchWorkflow
from searches import store
from searches.models import SearchSession, Status

logger = logging.getLogger(__name__)
# How often what the sources have answered is shown; the claim is renewed with it.
FLUSH_SECONDS = 1.0
FAILED = "The search failed with an internal error."
# Between two tries to store what was done, where the database itself does not wait.
RETRY_SECONDS = 0.5
P = ParamSpec("P")
R = TypeVar("R")


def config(domain: str, max_results: int) -> AppConfig:
    """The configuration of one session; ConfigError says what is wrong with it."""
    own = load_config().model_copy(update={"snapshot": settings.SNAPSHOT})
    return with_arguments(own, max_results, domain)


def workflow(row: SearchSession, progress: "Progress | None" = None) -> SearchWorkflow:
    return SearchWorkflow.from_config(config(row.domain, row.max_results), progress_reporter=progress)


def take_up(row: SearchSession) -> None:
    """Start work on a session that runs and that nobody works on; harmless if somebody does."""
    if row.status == Status.RUNNING and (row.lease_until is None or row.lease_until < timezone.now()):
        threading.Thread(target=work, args=[row.pk], name=f"search {row.pk[:6]}", daemon=True).start()


def work(session_id: str) -> None:
    """Step after step until the session pauses, is taken over, or fails."""
    worker = uuid4().hex
    try:
        if row := store.claim(session_id, worker):
            _work(row, worker)
    except DatabaseError:
        # No fault of the search: the claim has run out, and whoever looks next goes on from the last step stored.
        logger.exception("search session %s could not be stored", session_id[:6])
    finally:
        connections.close_all()


def _work(row: SearchSession, worker: str) -> None:
    try:
        with Progress(row.pk, worker) as progress:
            _steps(row, worker, progress)
    except DatabaseError:
        raise
    except Exception:
        # A thread has nobody to pass an exception on to; the session itself must tell.
        logger.exception("search session %s failed", row.pk[:6])
        persistently(store.fail, row.pk, worker, FAILED)


def _steps(row: SearchSession, worker: str, progress: "Progress") -> None:
    engine, state = workflow(row, progress), row.workflow_state
    while not state.is_paused:
        progress.clear()
        state = asyncio.run(engine.step(state))
        if not persistently(store.save_step, row.pk, worker, state):
            return


def persistently(change: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Try again while the claim lasts: otherwise a moment's lock loses the step, and the claim stays with nobody."""
    deadline = time.monotonic() + store.LEASE_SECONDS
    while True:
        try:
            return change(*args, **kwargs)
        except DatabaseError:
            connections.close_all()
            if time.monotonic() >= deadline:
                raise
        time.sleep(RETRY_SECONDS)


class Progress:
    """Collects what sources report and writes it, with the claim's renewal, from a thread of its own."""

    def __init__(self, session_id: str, worker: str) -> None:
        self.session_id = session_id
        self.worker = worker
        self._sources: dict[str, object] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._flush, daemon=True)

    def __enter__(self) -> "Progress":
        self._thread.start()
        return self

    def __exit__(self, *details: object) -> None:
        self._stop.set()
        self._thread.join()

    def step_done(self, record: StepRecord) -> None:
        """Steps are stored with the state."""

    def source_done(self, source: str, report: SourceReport) -> None:
        self._sources = {**self._sources, source: report.model_dump()}

    def clear(self) -> None:
        self._sources = {}

    def _flush(self) -> None:
        try:
            while not self._stop.wait(FLUSH_SECONDS):
                self._renew()
        finally:
            connections.close_all()

    def _renew(self) -> None:
        try:
            store.renew(self.session_id, self.worker, self._sources)
        except DatabaseError:
            connections.close_all()  # the next turn tries again, and the claim lasts for many
