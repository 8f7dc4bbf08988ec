"""Sessions in memory: events, isolation, one decision at a time, and cleaning up."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from paper_search.config import AppConfig
from paper_search.models import ParsedIntent, UserFeedback
from paper_search.workflow.checkpoints import (
    Checkpoint,
    CheckpointHandler,
    CheckpointKind,
    Decision,
    DecisionAction,
    MCPCheckpointHandler,
    StrategyPayload,
)
from paper_search.workflow.errors import (
    CheckpointBusy,
    InvalidDecision,
    NoPendingCheckpoint,
    SessionComplete,
    SessionNotFound,
)
from paper_search.workflow.session import SessionManager, WorkflowSession
from tests.paper_search.samples import strategy
from tests.paper_search.workflows import APPROVE, Finder, Parts, decision, maker

CONFIG = AppConfig()


def manager(parts: Callable[[], Parts] = Parts, **options: float) -> SessionManager:
    return SessionManager(make_workflow=maker(parts), **options)  # type: ignore[arg-type]  # only the numbers


def checkpoint(iteration: int = 0) -> Checkpoint:
    payload = StrategyPayload(intent=ParsedIntent(topic="t"), strategy=strategy())
    return Checkpoint(kind=CheckpointKind.strategy_confirmation, payload=payload, run_id="r", iteration=iteration)


async def started(sessions: SessionManager, query: str = "graphs") -> WorkflowSession:
    session_id = sessions.create(query, CONFIG)
    await sessions.wait(session_id, 5)
    session = sessions.get(session_id)
    assert session is not None
    return session


@pytest.mark.scenario("search-mcp / MCPCheckpointHandler (REQ-12) / Handler satisfies the protocol")
def test_the_handler_satisfies_the_protocol() -> None:
    assert isinstance(MCPCheckpointHandler(), CheckpointHandler)


@pytest.mark.scenario("search-mcp / MCPCheckpointHandler (REQ-12) / Arriving checkpoint becomes pending")
@pytest.mark.scenario("search-mcp / MCPCheckpointHandler (REQ-12) / Decision releases the workflow")
@pytest.mark.scenario("search-mcp / MCPCheckpointHandler (REQ-12) / Next checkpoint needs its own decision")
def test_the_handler_waits_for_one_decision_per_checkpoint() -> None:
    async def scene() -> None:
        handler = MCPCheckpointHandler()
        shown = checkpoint()
        first = asyncio.ensure_future(handler.handle(shown))
        await handler.wait_for_checkpoint()
        assert (handler._checkpoint_ready.is_set(), handler._decision_ready.is_set()) == (True, False)
        assert handler.has_pending_checkpoint
        assert handler.current_checkpoint is shown
        assert not first.done()
        handler.set_decision(APPROVE)
        assert await first == APPROVE
        assert [handler._checkpoint_ready.is_set()] == [False]
        second = asyncio.ensure_future(handler.handle(checkpoint(1)))
        await handler.wait_for_checkpoint()
        assert [handler._decision_ready.is_set(), second.done()] == [False, False]
        handler.set_decision(Decision(action=DecisionAction.reject))
        assert (await second).action is DecisionAction.reject

    asyncio.run(scene())


@pytest.mark.scenario("search-mcp / SessionManager (REQ-13) / Create starts a background task")
@pytest.mark.scenario("search-mcp / SessionManager (REQ-13) / Get finds a session or nothing")
@pytest.mark.scenario("search-mcp / SessionManager (REQ-13) / Decide waits for what follows")
@pytest.mark.scenario("search-product / Session architecture / Session from start to end")
@pytest.mark.scenario("search-product / Event-based sessions (C9) / Workflow pauses until decided")
def test_a_session_from_start_to_end() -> None:
    async def scene() -> None:
        sessions = manager()
        session = await started(sessions)
        assert session.task is not None
        assert not session.task.done()
        assert sessions.get("other") is None
        assert (session.result, session.error, session.is_complete) == (None, None, False)
        assert session.handler.current_checkpoint is not None
        assert session.handler.has_pending_checkpoint
        state = await sessions.decide(session.session_id, APPROVE)
        assert state["current_checkpoint_kind"] == "result_review"
        state = await sessions.decide(session.session_id, APPROVE)
        assert state["is_complete"]
        assert session.is_complete
        assert session.error is None
        assert session.result is not None
        assert len(session.result.papers) == 2

    asyncio.run(scene())


@pytest.mark.scenario("search-mcp / Session isolation (REQ-15) / Sessions own their parts")
def test_sessions_own_their_parts() -> None:
    async def scene() -> None:
        sessions = manager()
        first, second = await started(sessions, "graphs"), await started(sessions, "molecules")
        for name in ("handler", "task", "state", "workflow"):
            assert getattr(first, name) is not getattr(second, name)
        sessions.cleanup(first.session_id)
        sessions.cleanup(second.session_id)

    asyncio.run(scene())


@pytest.mark.scenario("search-mcp / PROP-10: Cleanup safety / Cleaned session is gone")
@pytest.mark.scenario("search-mcp / SessionManager (REQ-13) / Cleanup cancels a running task")
def test_cleanup_cancels_and_forgets() -> None:
    async def scene() -> None:
        sessions = manager()
        session = await started(sessions)
        sessions.cleanup(session.session_id)
        assert session.task is not None
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(session.task, 5)
        assert sessions.get(session.session_id) is None
        with pytest.raises(SessionNotFound):
            await sessions.wait(session.session_id, 0)
        sessions.cleanup(session.session_id)

    asyncio.run(scene())


@pytest.mark.scenario("search-product / Edge cases of sessions / Concurrent decisions")
def test_a_second_decision_while_the_first_is_being_processed_is_refused() -> None:
    async def scene() -> None:
        gate = asyncio.Event()
        sessions = manager(lambda: Parts(finder=Finder(gate=gate)))
        session = await started(sessions)
        first = asyncio.ensure_future(sessions.decide(session.session_id, APPROVE))
        await session.handler.decision_taken.wait()
        with pytest.raises(CheckpointBusy, match="checkpoint already being processed"):
            await sessions.decide(session.session_id, APPROVE)
        gate.set()
        assert (await first)["current_checkpoint_kind"] == "result_review"
        sessions.cleanup(session.session_id)

    asyncio.run(scene())


def test_a_repeated_call_with_a_used_checkpoint_id_gets_the_same_answer() -> None:
    async def scene() -> None:
        sessions = manager()
        session = await started(sessions)
        assert session.handler.current_checkpoint is not None
        used = session.handler.current_checkpoint.checkpoint_id
        first = await sessions.decide(session.session_id, APPROVE, used)
        assert await sessions.decide(session.session_id, APPROVE, used) == first
        with pytest.raises(NoPendingCheckpoint):
            await sessions.decide(session.session_id, APPROVE, "some-other-checkpoint")
        assert (await sessions.decide(session.session_id, APPROVE))["is_complete"]

    asyncio.run(scene())


def test_a_slow_search_returns_its_running_state_and_then_has_no_checkpoint() -> None:
    async def scene() -> None:
        gate = asyncio.Event()
        sessions = manager(lambda: Parts(finder=Finder(gate=gate)), wait_seconds=0.01)
        session = await started(sessions)
        state = await sessions.decide(session.session_id, APPROVE)
        assert (state["is_complete"], state["has_pending_checkpoint"]) == (False, False)
        assert "wait_seconds" in str(state["next"])
        with pytest.raises(NoPendingCheckpoint, match="No pending checkpoint"):
            await sessions.decide(session.session_id, APPROVE)
        gate.set()
        later = await sessions.wait(session.session_id, 5)
        assert later.current_checkpoint_kind == "result_review"
        sessions.cleanup(session.session_id)

    asyncio.run(scene())


def test_refused_data_leaves_the_checkpoint_pending() -> None:
    async def scene() -> None:
        sessions = manager()
        session = await started(sessions)
        bad = Decision(action=DecisionAction.edit, revised_data=UserFeedback())
        with pytest.raises(InvalidDecision):
            await sessions.decide(session.session_id, bad)
        assert session.handler.has_pending_checkpoint
        assert (await sessions.decide(session.session_id, APPROVE))["step"] == 1
        sessions.cleanup(session.session_id)

    asyncio.run(scene())


@pytest.mark.scenario("search-product / Edge cases of sessions / Exception in the workflow")
def test_an_exception_is_kept_and_the_session_complete() -> None:
    async def scene() -> None:
        sessions = manager(lambda: Parts(finder=Finder(fail=RuntimeError("the disk is full"))))
        session = await started(sessions)
        state = await sessions.decide(session.session_id, APPROVE)
        assert (state["is_complete"], state["error"]) == (True, "the disk is full")
        assert session.error == "the disk is full"
        with pytest.raises(SessionComplete) as caught:
            await sessions.decide(session.session_id, APPROVE)
        assert caught.value.details["reason"] == "the disk is full"

    asyncio.run(scene())


@pytest.mark.scenario("search-product / Edge cases of sessions / Idle session")
def test_an_idle_session_is_removed_and_a_touched_one_stays() -> None:
    async def scene() -> None:
        now = 0.0
        sessions = SessionManager(make_workflow=maker(Parts), clock=lambda: now)
        idle, used = await started(sessions), await started(sessions)
        now = 29 * 60.0
        assert sessions.get(used.session_id)
        now = 30 * 60.0
        sessions._remove_if_idle(idle)
        sessions._remove_if_idle(used)
        assert sessions.get(idle.session_id) is None
        assert sessions.get(used.session_id) is used
        sessions.cleanup(used.session_id)

    asyncio.run(scene())


def test_the_background_cleanup_needs_no_caller() -> None:
    async def scene() -> None:
        sessions = manager(idle_seconds=0.01)
        session = sessions.get(sessions.create("graphs", CONFIG))
        assert session is not None
        assert session.task is not None
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(session.task, 5)

    asyncio.run(scene())


@pytest.mark.scenario("search-mcp / SessionManager (REQ-13) / Sessions created from many threads")
def test_threads_with_their_own_loops_do_not_mix_up_sessions() -> None:
    sessions = manager()
    problems: list[str] = []

    async def work(name: str) -> None:
        for number in range(5):
            session = await started(sessions, f"{name} {number}")
            if session.query != f"{name} {number}" or sessions.get(session.session_id) is not session:
                problems.append("mixed up")
            if (await sessions.decide(session.session_id, APPROVE))["step"] != 1:
                problems.append("lost")
            sessions.cleanup(session.session_id)

    threads = [threading.Thread(target=lambda name=name: asyncio.run(work(name))) for name in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert problems == []
    assert not sessions._sessions


def test_another_thread_can_decide() -> None:
    async def scene() -> None:
        sessions = manager()
        session = await started(sessions)
        state = await asyncio.to_thread(lambda: asyncio.run(sessions.decide(session.session_id, APPROVE)))
        assert state["current_checkpoint_kind"] == "result_review"
        sessions.cleanup(session.session_id)

    asyncio.run(scene())


def test_a_session_is_made_as_the_requirement_shows() -> None:
    async def scene() -> None:
        handler = MCPCheckpointHandler()
        session = WorkflowSession("s1", "graphs", handler)
        assert (session._handler, session._task, session.result, session.error) == (handler, None, None, None)
        assert not session.is_complete
        assert session.view().query == "graphs"

    asyncio.run(scene())


def test_another_decision_on_a_decided_checkpoint_is_refused() -> None:
    async def scene() -> None:
        sessions = manager(Parts)
        session = await started(sessions)
        checkpoint = session.handler.current_checkpoint
        assert checkpoint is not None
        first = await sessions.decide(session.session_id, APPROVE, checkpoint.checkpoint_id)
        assert await sessions.decide(session.session_id, APPROVE, checkpoint.checkpoint_id) == first
        with pytest.raises(CheckpointBusy, match="checkpoint already being processed") as caught:
            await sessions.decide(session.session_id, decision("reject"), checkpoint.checkpoint_id)
        assert caught.value.details["action"] == "approve"
        sessions.cleanup(session.session_id)

    asyncio.run(scene())


def test_actions_and_kinds_have_the_names_of_the_requirement() -> None:
    assert list(DecisionAction) == [DecisionAction.APPROVE, DecisionAction.EDIT, DecisionAction.REJECT]
    assert list(CheckpointKind) == [CheckpointKind.STRATEGY_CONFIRMATION, CheckpointKind.RESULT_REVIEW]
