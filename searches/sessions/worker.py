"""Works on running sessions: one thread per session, in whichever process claims it."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, connections

from paper_search.config import AppConfig, load_config, with_arguments
from paper_search.models import SourceReport, StepRecord
from paper_search.workflow import SearchWorkflow
from paper_search.workflow.errors import UnusableState
from papercore import limits
from searches.model_budget import DailyBudget
from searches.models import SearchSession, Status
from searches.sessions import store
from searches.sessions.library import SiteLibrary

logger = logging.getLogger(__name__)
# How often a worker stores what its sources have answered, and renews its claim with it.
RENEW_SECONDS = 1.0
FAILED = "The search failed with an internal error."
# Between two attempts to store a step, for databases that do not wait for a lock themselves.
RETRY_SECONDS = 0.5
P = ParamSpec("P")
R = TypeVar("R")
# Sessions that this process works on at the same time.
_free_workers = threading.BoundedSemaphore(limits.RUNNING_SEARCHES)


def session_config(domain: str, max_results: int) -> AppConfig:
    """The configuration of a session; ConfigError says what is wrong with it."""
    config = load_config().model_copy(update={"snapshot": settings.SNAPSHOT})
    return with_arguments(config, max_results, domain)


def workflow(row: SearchSession, progress: "ProgressWriter | None" = None) -> SearchWorkflow:
    config = session_config(row.domain, row.max_results)
    return SearchWorkflow.from_config(
        config, progress_reporter=progress, library=SiteLibrary(), model_budget=DailyBudget()
    )


def resume(row: SearchSession) -> None:
    """Start a worker for a running session that has none; harmless if another process does so too."""
    if row.status != Status.RUNNING or store.has_worker(row):
        return
    # With every worker busy the session stays as it is: whoever waits for it tries again.
    if _free_workers.acquire(blocking=False):
        threading.Thread(target=_work_and_leave, args=[row.pk], name=f"search {row.pk[:6]}", daemon=True).start()


def _work_and_leave(session_id: str) -> None:
    try:
        work(session_id)
    finally:
        _free_workers.release()


def work(session_id: str) -> None:
    """Claim the session and do its steps until it pauses, fails, or another worker has claimed it."""
    worker = uuid4().hex
    try:
        if row := store.claim(session_id, worker):
            _run_steps(row, worker)
    except DatabaseError:
        # Not the search's fault: the claim has run out, and another worker goes on after the last step stored.
        logger.exception("search session %s could not be stored", session_id[:6])
    finally:
        connections.close_all()


def _run_steps(row: SearchSession, worker: str) -> None:
    try:
        with ProgressWriter(row.pk, worker) as progress:
            engine, state = workflow(row, progress), row.workflow_state
            while not state.is_paused:
                progress.clear()
                state = asyncio.run(engine.step(state))
                if not retry_while_claimed(store.save_step, row.pk, worker, state):
                    return
    except DatabaseError:
        raise
    except UnusableState as error:
        retry_while_claimed(store.fail, row.pk, worker, error.message)
    except Exception:
        # A thread has nobody to raise to: the session itself must say that it failed.
        logger.exception("search session %s failed", row.pk[:6])
        retry_while_claimed(store.fail, row.pk, worker, FAILED)


def retry_while_claimed(change: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Repeat a change that the database refuses, as long as the claim lasts: a short lock must not cost the step."""
    deadline = time.monotonic() + store.LEASE_SECONDS
    while True:
        try:
            return change(*args, **kwargs)
        except DatabaseError:
            connections.close_all()
            if time.monotonic() >= deadline:
                raise
        time.sleep(RETRY_SECONDS)


class ProgressWriter:
    """Stores what the sources report, and renews the claim, from a thread of its own."""

    def __init__(self, session_id: str, worker: str) -> None:
        self.session_id = session_id
        self.worker = worker
        self._sources: dict[str, object] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._renew_until_stopped, daemon=True)

    def __enter__(self) -> "ProgressWriter":
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

    def _renew_until_stopped(self) -> None:
        try:
            while not self._stop.wait(RENEW_SECONDS):
                try:
                    store.renew(self.session_id, self.worker, self._sources)
                except DatabaseError:
                    connections.close_all()  # try again next time: the claim outlasts many renewals
        finally:
            connections.close_all()
