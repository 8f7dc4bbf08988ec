"""Every change of a session, each one statement or one transaction: a crash leaves all of it or none."""

import json
import logging
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from msgspec import Struct

from paper_search.plan import SearchPlan
from paper_search.workflow.checkpoints import Decision
from paper_search.workflow.errors import SessionNotFound, UnusableState
from paper_search.workflow.session_state import session_state
from paper_search.workflow.state import WorkflowState
from papercore.caller import Caller
from searches.models import OPEN, DecisionRecord, SearchSession, Status
from searches.sessions.clocks import Interval, WallClock

# How often a step of a search is begun before its session ends as failed: what ended two workers would end a third.
STEP_ATTEMPTS = 2
# A worker that has not renewed its claim for this long is gone, and another may take its place.
LEASE_SECONDS = 30.0
# Twice that, because the clocks of several hosts differ.
LONGEST_LEASE = timedelta(seconds=2 * LEASE_SECONDS)
DIED_TWICE = "The search was ended: each attempt at its next step ended the process that worked on it. Start a new one."
# Callers that ask often do not write to the database each time.
TOUCH_SECONDS = 30.0
# How often each process looks for idle sessions.
EXPIRY_SECONDS = 60
logger = logging.getLogger(__name__)
_clock = WallClock()
_expiry_interval = Interval(EXPIRY_SECONDS)


class SessionCounts(Struct, frozen=True):
    """Open sessions: with a worker or about to get one, at a checkpoint, and running without a worker."""

    running: int
    waiting: int
    abandoned: int


def find(session_id: str, caller: Caller) -> SearchSession:
    """The session, expired if it has been idle; SessionNotFound if the caller may not see it."""
    row = SearchSession.objects.filter(pk=session_id).first()
    if row is None or not caller.may_see(row.owner):
        raise SessionNotFound("Session not found", session_id=session_id)
    if row.status in OPEN and row.expires_at <= timezone.now():
        expire(SearchSession.objects.filter(pk=session_id))
        row.refresh_from_db()
    return row


def create(
    query: str,
    domain: str,
    max_results: int,
    caller: Caller,
    idempotency_key: str | None = None,
    plan: SearchPlan | None = None,
    earlier: WorkflowState | None = None,
) -> SearchSession:
    """A new row, with the marks of an earlier session; IntegrityError if the caller has used the key before."""
    state = WorkflowState(query=query, plan=plan)
    if earlier:
        state.kept, state.rejected, state.unsure = earlier.kept, earlier.rejected, earlier.unsure
        state.excluded, state.edits.dropped = earlier.excluded, earlier.edits.dropped
    row = SearchSession(
        query=query,
        domain=domain,
        max_results=max_results,
        started_by=caller.kind,
        owner=caller.key,
        state=state.model_dump_json(by_alias=True),
    )
    if idempotency_key:
        row.pk = _id_for(idempotency_key, caller)
    with transaction.atomic():
        row.save(force_insert=True)
    return row


def started_with(idempotency_key: str, caller: Caller) -> SearchSession | None:
    """The session that this caller started with this key."""
    return SearchSession.objects.filter(pk=_id_for(idempotency_key, caller)).first()


def _id_for(idempotency_key: str, caller: Caller) -> str:
    """The id of a session started with a key: the same for the same caller, and as hard to guess as a random one."""
    text = json.dumps([caller.kind, caller.client, idempotency_key])
    return salted_hmac("searches.idempotency_key", text, algorithm="sha256").hexdigest()[:32]


def note_shown(row: SearchSession) -> None:
    """Note that somebody was shown the checkpoint of this row."""
    if row.status == Status.WAITING and not row.checkpoint_was_shown:
        row.shown_checkpoint_id = row.checkpoint_id
        still_there = SearchSession.objects.filter(pk=row.pk, checkpoint_id=row.checkpoint_id)
        still_there.update(shown_checkpoint_id=row.checkpoint_id)


def touch(row: SearchSession) -> None:
    """Note that the session is still in use."""
    now = timezone.now()
    if now - row.touched_at >= timedelta(seconds=TOUCH_SECONDS):
        SearchSession.objects.filter(pk=row.pk, status__in=OPEN).update(touched_at=now)


def decide(row: SearchSession, after: WorkflowState, decision: Decision, caller: Caller) -> bool:
    """Store the decision and the state after it; False if another caller has decided first."""
    checkpoint = row.workflow_state.checkpoint
    if checkpoint is None:
        return False
    with transaction.atomic():
        changed = SearchSession.objects.filter(
            pk=row.pk, status=Status.WAITING, checkpoint_id=checkpoint.checkpoint_id
        ).update(
            **_columns(after),
            lease="",
            lease_until=None,
            attempts=0,
            progress={},
            touched_at=timezone.now(),
            version=F("version") + 1,
        )
        if changed:
            DecisionRecord.objects.create(
                session=row,
                checkpoint_id=checkpoint.checkpoint_id,
                kind=checkpoint.kind,
                iteration=checkpoint.iteration,
                action=decision.action,
                data=decision.model_dump(mode="json")["revised_data"],
                note=decision.note or "",
                decided_by=caller.kind,
                answer=_answer(row.pk, after),
            )
    return bool(changed)


def claim(session_id: str, worker: str) -> SearchSession | None:
    """Claim a running session that has no worker; None if it has one, does not run, or must not be tried again."""
    now = timezone.now()
    free = ~_is_leased() | Q(lease=worker)
    claimed = SearchSession.objects.filter(free, pk=session_id, status=Status.RUNNING).update(
        lease=worker, lease_until=now + timedelta(seconds=LEASE_SECONDS), attempts=F("attempts") + 1
    )
    row = SearchSession.objects.get(pk=session_id) if claimed else None
    if row and row.attempts > STEP_ATTEMPTS:
        fail(session_id, worker, DIED_TWICE)
        return None
    return row


def renew(session_id: str, worker: str, progress: dict[str, object]) -> bool:
    """Keep the claim, and show which sources have answered."""
    until = timezone.now() + timedelta(seconds=LEASE_SECONDS)
    mine = SearchSession.objects.filter(pk=session_id, lease=worker, status=Status.RUNNING)
    return bool(mine.update(lease_until=until, progress=progress, version=F("version") + 1))


def save_step(session_id: str, worker: str, state: WorkflowState) -> bool:
    """Store the state after a step; False if another worker has claimed the session."""
    now = timezone.now()
    with transaction.atomic():
        saved = SearchSession.objects.filter(pk=session_id, lease=worker, status=Status.RUNNING).update(
            **_columns(state),
            attempts=0,
            progress={},
            touched_at=now,
            lease="" if state.is_paused else worker,
            lease_until=None if state.is_paused else now + timedelta(seconds=LEASE_SECONDS),
            version=F("version") + 1,
        )
        if saved and state.is_paused:
            _store_answer(session_id, _answer(session_id, state))
    return bool(saved)


def fail(session_id: str, worker: str, message: str) -> None:
    """End a session whose work cannot be done."""
    with transaction.atomic():
        row = SearchSession.objects.filter(pk=session_id, lease=worker, status=Status.RUNNING)
        if row.update(status=Status.FAILED, error=message, lease="", lease_until=None, version=F("version") + 1):
            failed = SearchSession.objects.get(pk=session_id)
            try:
                state = failed.workflow_state
            except UnusableState:
                state = WorkflowState(query=failed.query)
            SearchSession.objects.filter(pk=session_id).update(state=state.model_dump_json())
            _store_answer(session_id, session_state(session_id, state, message).model_dump_json())


def expire(rows: QuerySet[SearchSession]) -> int:
    """End those of the sessions that nobody has touched for as long as a search waits; how many there were."""
    if not _clock.tells_ages():
        return 0
    idle = timezone.now() - timedelta(days=settings.SEARCH_WAIT_DAYS)
    stale = rows.filter(status__in=OPEN, touched_at__lte=idle).exclude(_being_worked_on())
    # Mostly there are none, and a read takes no lock.
    if not stale.exists():
        return 0
    return stale.update(status=Status.EXPIRED, checkpoint_id="", version=F("version") + 1)


def expire_idle_sessions() -> None:
    """Expire all that are idle, from time to time: calls and probes do it, so nobody needs to run a command."""
    if not _expiry_interval.is_due():
        return
    try:
        if expired := expire(SearchSession.objects.all()):
            logger.info("%d idle search sessions expired", expired)
    except DatabaseError:  # one that takes no writes is reported elsewhere
        logger.warning("Idle search sessions could not be ended.", exc_info=True)


def count_sessions() -> SessionCounts:
    now, live = timezone.now(), _being_worked_on()
    running = Q(status=Status.RUNNING)
    # A session that was just created or decided on has no worker yet.
    new = running & Q(lease_until=None, touched_at__gt=now - timedelta(seconds=LEASE_SECONDS))
    counts = SearchSession.objects.aggregate(
        running=Count("pk", filter=live | new),
        waiting=Count("pk", filter=Q(status=Status.WAITING)),
        abandoned=Count("pk", filter=running & ~(live | new)),
    )
    return SessionCounts(**counts)


def has_worker(row: SearchSession) -> bool:
    """Whether somebody has claimed the session and renews the claim.

    A claim that lasts longer than any is one from before the clock was set back; a living worker renews it.
    """
    now = timezone.now()
    return row.lease_until is not None and now <= row.lease_until <= now + LONGEST_LEASE


def _is_leased() -> Q:
    """The same in SQL. Names the null: without it, the condition could not be negated."""
    now = timezone.now()
    return Q(lease_until__isnull=False, lease_until__gte=now, lease_until__lte=now + LONGEST_LEASE)


def _being_worked_on() -> Q:
    return Q(status=Status.RUNNING) & _is_leased()


def _columns(state: WorkflowState) -> dict[str, object]:
    """The row's columns for a state."""
    status = Status.COMPLETE if state.is_complete else Status.WAITING if state.checkpoint else Status.RUNNING
    shown = state.result or state.collection
    return {
        "state": state.model_dump_json(),
        "status": status,
        "checkpoint_id": state.checkpoint.checkpoint_id if state.checkpoint else "",
        "iteration": state.iteration,
        "step": state.step,
        "paper_count": len(shown.papers) if shown else 0,
    }


def _answer(session_id: str, state: WorkflowState) -> str:
    """The answer to the latest decision; empty while the work goes on."""
    return session_state(session_id, state).model_dump_json() if state.is_paused else ""


def _store_answer(session_id: str, answer: str) -> None:
    latest = DecisionRecord.objects.filter(session_id=session_id).order_by("-id").first()
    if latest and not latest.answer:
        DecisionRecord.objects.filter(pk=latest.pk).update(answer=answer)
