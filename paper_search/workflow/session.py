"""Sessions in memory: a workflow that pauses on events, and the manager of all sessions."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from uuid import uuid4

from msgspec import Struct

from paper_search.config import AppConfig
from paper_search.models import PaperCollection
from paper_search.workflow.checkpoints import CheckpointHandler, Decision, MCPCheckpointHandler
from paper_search.workflow.decisions import apply_decision
from paper_search.workflow.engine import SearchWorkflow
from paper_search.workflow.errors import (
    UNSEEN,
    CheckpointBusy,
    CheckpointUnseen,
    NoPendingCheckpoint,
    SessionComplete,
    SessionNotFound,
)
from paper_search.workflow.session_state import ReviewPage, SessionState, session_state
from paper_search.workflow.state import WorkflowState
from papercore.errors import ToolError
from papercore.limits import SESSION_IDLE_SECONDS, SESSION_WAIT_SECONDS

logger = logging.getLogger(__name__)
MakeWorkflow = Callable[[AppConfig, CheckpointHandler], SearchWorkflow]


class DecidedCheckpoint(Struct, frozen=True):
    """A decision that was taken, and the answer it got."""

    decision: Decision
    answer: SessionState


# A transport that sends answers after a call has returned puts a list here for the call, and calls what is in it when
# the answer was sent: until then nobody has seen its checkpoint.
unsent_answers: ContextVar[list[Callable[[], None]] | None] = ContextVar("unsent_answers", default=None)


@dataclass
class WorkflowSession:
    """One search with its own handler, workflow, task and state."""

    session_id: str
    query: str
    _handler: MCPCheckpointHandler
    _task: "asyncio.Task[None] | None" = None
    result: PaperCollection | None = None
    error: str | None = None
    is_complete: bool = False
    workflow: SearchWorkflow | None = None
    loop: asyncio.AbstractEventLoop | None = None
    last_used: float = 0.0
    deciding: bool = False
    # The last checkpoint that somebody was shown.
    shown: str = ""
    answers: "dict[str, DecidedCheckpoint]" = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def handler(self) -> MCPCheckpointHandler:
        return self._handler

    @property
    def task(self) -> "asyncio.Task[None] | None":
        return self._task

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Search in a task of its own."""
        self._task = loop.create_task(self.run())

    async def run(self) -> None:
        """Search to the end; a failure is kept in `error`, never raised."""
        try:
            if self.workflow is not None:
                self.result = await self.workflow.run(self.query)
        except ToolError as error:
            self.error = error.message
        except Exception as error:
            # Nobody awaits the task: whatever a collaborator raises, the session has to end and say so.
            logger.exception("search session failed")
            self.error = str(error) or type(error).__name__
        self.is_complete = True

    @property
    def state(self) -> WorkflowState:
        """The workflow's state; before its first step, only the question."""
        state = self.workflow.state if self.workflow else None
        return state or WorkflowState(query=self.query)

    @property
    def is_running(self) -> bool:
        return not self.is_complete and not self.handler.has_pending_checkpoint

    async def wait_for_pause(self, seconds: float) -> None:
        """Return at the next checkpoint, at the end, or when the time is up."""
        await self._wait(self.handler.wait_for_checkpoint(), seconds)

    def view(self, page: ReviewPage | None = None) -> SessionState:
        """What its users see. A checkpoint counts as shown once the answer that brings it was sent."""
        state = self.state
        if not self.handler.has_pending_checkpoint:
            # A decided checkpoint stays in the state until the next step has finished.
            state = state.model_copy(update={"checkpoint": None})
        if state.checkpoint:
            note_shown = partial(setattr, self, "shown", state.checkpoint.checkpoint_id)
            unsent = unsent_answers.get()
            if unsent is None:
                note_shown()
            else:
                unsent.append(note_shown)
        return session_state(self.session_id, state, self.error, page)

    def checkpoint_seen(self) -> str | None:
        """The pending checkpoint, which a decision that names none is meant for.

        CheckpointUnseen if no answer has brought it yet: the decision was meant for an earlier one.
        """
        checkpoint = self.handler.current_checkpoint if self.handler.has_pending_checkpoint else None
        if checkpoint and self.state.step and checkpoint.checkpoint_id != self.shown:
            raise CheckpointUnseen(UNSEEN, pending_checkpoint_id=checkpoint.checkpoint_id)
        return checkpoint.checkpoint_id if checkpoint else None

    async def decide(self, decision: Decision, seconds: float) -> None:
        """Give the decision to the workflow and return at its next pause."""
        decision_taken = self.handler.decision_taken
        self.handler.set_decision(decision)
        await self._wait(decision_taken.wait(), seconds)
        await self.wait_for_pause(seconds)

    async def _wait(self, event: Coroutine[None, None, object], seconds: float) -> None:
        """Until the event, the end of the task, or the time is up."""
        waiting = asyncio.ensure_future(event)
        tasks = {waiting, self.task} if self.task else {waiting}
        await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()


class SessionManager:
    """The sessions of one process; safe to use from several threads, each with its own event loop."""

    def __init__(
        self,
        idle_seconds: float = SESSION_IDLE_SECONDS,
        wait_seconds: float = SESSION_WAIT_SECONDS,
        make_workflow: MakeWorkflow = SearchWorkflow.from_config,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.idle_seconds = idle_seconds
        self.wait_seconds = wait_seconds
        self._make_workflow = make_workflow
        self._clock = clock
        self._sessions: dict[str, WorkflowSession] = {}
        self._lock = threading.Lock()

    def create(self, query: str, config: AppConfig) -> str:
        """Start a session on the running event loop and return its id."""
        loop = asyncio.get_running_loop()
        handler = MCPCheckpointHandler()
        workflow = self._make_workflow(config, handler)
        session = WorkflowSession(uuid4().hex, query, handler, workflow=workflow, loop=loop, last_used=self._clock())
        session.start(loop)
        with self._lock:
            self._sessions[session.session_id] = session
        loop.call_later(self.idle_seconds, self._remove_if_idle, session)
        return session.session_id

    def get(self, session_id: str) -> WorkflowSession | None:
        with self._lock:
            session = self._sessions.get(session_id)
        if session:
            session.last_used = self._clock()
        return session

    def require(self, session_id: str) -> WorkflowSession:
        session = self.get(session_id)
        if session is None:
            raise SessionNotFound("Session not found", session_id=session_id)
        return session

    async def wait(self, session_id: str, seconds: float, page: ReviewPage | None = None) -> SessionState:
        """The state at the next pause, or when the time is up."""
        session = self.require(session_id)
        if session.is_running and seconds > 0:
            await self._run_on_loop_of(session, session.wait_for_pause(seconds))
        return session.view(page)

    async def decide(self, session_id: str, decision: Decision, checkpoint_id: str | None = None) -> dict[str, object]:
        """Decide and wait for what follows. A decision that is refused leaves the checkpoint pending."""
        session = self.require(session_id)
        if checkpoint_id and (earlier := session.answers.get(checkpoint_id)):
            if earlier.decision != decision:
                raise CheckpointBusy(
                    "checkpoint already being processed",
                    session_id=session_id,
                    action=earlier.decision.action,
                    note=earlier.decision.note or "",
                )
            return _as_dict(earlier.answer)
        decided = self._claim(session, decision, checkpoint_id)
        try:
            await self._run_on_loop_of(session, session.decide(decision, self.wait_seconds))
            session.answers[decided] = DecidedCheckpoint(decision, session.view())
        finally:
            session.deciding = False
        session.last_used = self._clock()
        return _as_dict(session.answers[decided].answer)

    def cleanup(self, session_id: str) -> None:
        """Remove the session and cancel its task."""
        with self._lock:
            session = self._sessions.pop(session_id, None)
        if session and session.task and session.loop and not session.loop.is_closed():
            session.loop.call_soon_threadsafe(session.task.cancel)

    def _claim(self, session: WorkflowSession, decision: Decision, checkpoint_id: str | None) -> str:
        """Make this call the one that decides; its checkpoint's id, or an error that says why it cannot."""
        with session.lock:
            if session.deciding:
                raise CheckpointBusy("checkpoint already being processed", session_id=session.session_id)
            if session.is_complete:
                failure = {"reason": session.error} if session.error else {}
                raise SessionComplete("Session already complete", session_id=session.session_id, **failure)
            checkpoint = session.handler.current_checkpoint
            if checkpoint is None or not session.handler.has_pending_checkpoint:
                raise NoPendingCheckpoint("No pending checkpoint", session_id=session.session_id)
            if checkpoint_id and checkpoint_id != checkpoint.checkpoint_id:
                raise NoPendingCheckpoint(
                    "No pending checkpoint with this id", pending_checkpoint_id=checkpoint.checkpoint_id
                )
            # What cannot be applied is refused before the workflow has it: it would end the search.
            apply_decision(session.state, decision)
            session.deciding = True
            return checkpoint.checkpoint_id

    async def _run_on_loop_of(self, session: WorkflowSession, work: Coroutine[None, None, None]) -> None:
        """The session's events belong to its own loop, which may be another thread's."""
        if session.loop is None or session.loop is asyncio.get_running_loop():
            await work
        else:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, session.loop))

    def _remove_if_idle(self, session: WorkflowSession) -> None:
        if session.session_id not in self._sessions:
            return
        idle = 0.0 if session.is_running else self._clock() - session.last_used
        if idle >= self.idle_seconds:
            self.cleanup(session.session_id)
        elif session.loop:
            session.loop.call_later(self.idle_seconds - idle, self._remove_if_idle, session)


def _as_dict(state: SessionState) -> dict[str, object]:
    return state.model_dump(mode="json", exclude_none=True)
