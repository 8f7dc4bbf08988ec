"""What holds of the library's sessions whatever is asked and decided."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paper_search import mcp_server as server
from paper_search.workflow.checkpoints import DecisionAction
from papercore.tool import is_visible
from tests.paper_search.samples import strategy
from tests.paper_search.sessions import called, run, start
from tests.paper_search.workflows import Parts


@pytest.mark.scenario("search-mcp / PROP-6: Session lifecycle / New session can be read back")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(min_size=1, max_size=60).filter(is_visible))
def test_a_new_session_can_be_read_back_whatever_it_asks(parts: list[Parts], query: str) -> None:
    async def scene() -> None:
        session_id, _ = await start(query)
        state = await called(server.get_session(session_id))
        assert {"session_id", "query", "is_complete", "has_pending_checkpoint", "iteration", "step"} <= set(state)
        assert state["query"] == query
        assert state["is_complete"] is False

    run(scene)


@pytest.mark.scenario("search-mcp / PROP-7: Decision mapping completeness / Every action is handled")
@pytest.mark.scenario("search-mcp / PROP-9: Monotonic workflow progress / Decide moves forward")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(st.sampled_from(list(DecisionAction)), min_size=1, max_size=10))
def test_every_action_is_answered_and_moves_forward(parts: list[Parts], actions: list[DecisionAction]) -> None:
    async def scene() -> None:
        session_id, before = await start()
        for action in actions:
            kind = before.get("current_checkpoint_kind")
            data = strategy("x").model_dump(mode="json") if kind == "strategy_confirmation" else {}
            after = await called(server.decide(session_id, action.value, data if action == "edit" else None))
            assert "error" not in after
            assert int(str(after["step"])) == int(str(before["step"])) + 1
            assert int(str(after["iteration"])) >= int(str(before["iteration"]))
            before = after
            if after["is_complete"]:
                break

    run(scene)


@pytest.mark.scenario("search-mcp / PROP-8: Session isolation / Advancing one session leaves the other alone")
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(st.sampled_from(["approve", "reject"]), min_size=1, max_size=6))
def test_advancing_one_session_leaves_the_other_alone(parts: list[Parts], actions: list[str]) -> None:
    async def scene() -> None:
        (advanced, _), (other, untouched) = await start("graphs"), await start("molecules")
        for action in actions:
            await server.decide(advanced, action)
            assert await called(server.get_session(other)) == untouched

    run(scene)
