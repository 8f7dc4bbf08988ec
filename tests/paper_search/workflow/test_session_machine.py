"""Sessions under any sequence of calls: isolated, monotonic, gone when cleaned up (PROP-8, PROP-9, PROP-10)."""

import asyncio

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from paper_search.config import AppConfig
from paper_search.workflow.checkpoints import Decision, DecisionAction
from paper_search.workflow.errors import SessionComplete, SessionNotFound
from paper_search.workflow.session import SessionManager
from paper_search.workflow.session_state import SessionState
from tests.paper_search.samples import strategy
from tests.paper_search.workflows import Parts, maker


class Sessions(RuleBasedStateMachine):
    """The model: for each session the state that was last seen, for each one cleaned up nothing."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.manager = SessionManager(make_workflow=maker(Parts))
        self.known: dict[str, SessionState] = {}
        self.gone: set[str] = set()

    def teardown(self) -> None:
        for session_id in self.known:
            self.manager.cleanup(session_id)
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()

    def see(self, session_id: str) -> SessionState:
        return self.loop.run_until_complete(self.manager.wait(session_id, 5))

    @rule(target=ids, query=st.sampled_from(["graphs", "molecules", "bread"]))
    def start(self, query: str) -> str:
        async def create() -> str:
            return self.manager.create(query, AppConfig())

        session_id = self.loop.run_until_complete(create())
        self.known[session_id] = self.see(session_id)
        assert self.known[session_id].query == query
        assert not self.known[session_id].is_complete
        return session_id

    @rule(session_id=ids, action=st.sampled_from(list(DecisionAction)))
    def decide(self, session_id: str, action: DecisionAction) -> None:
        before = self.known[session_id]
        at_strategy = before.current_checkpoint_kind == "strategy_confirmation"
        data = strategy("other").model_dump() if at_strategy else {"marked_relevant": ["1a"]}
        decision = Decision(action=action, revised_data=data if action is DecisionAction.edit else None)
        try:
            self.loop.run_until_complete(self.manager.decide(session_id, decision))
        except SessionComplete:
            assert before.is_complete
            return
        after = self.known[session_id] = self.see(session_id)
        assert not before.is_complete
        assert after.step == before.step + 1
        assert after.iteration >= before.iteration

    @rule(session_id=consumes(ids))
    def clean_up(self, session_id: str) -> None:
        self.manager.cleanup(session_id)
        del self.known[session_id]
        self.gone.add(session_id)

    @invariant()
    def every_session_is_as_it_was_left(self) -> None:
        for session_id, state in self.known.items():
            assert self.see(session_id) == state

    @invariant()
    def what_was_cleaned_up_is_gone(self) -> None:
        for session_id in self.gone:
            assert self.manager.get(session_id) is None
            try:
                self.see(session_id)
            except SessionNotFound:
                continue
            raise AssertionError("a session came back")


TestSessions = Sessions.TestCase
TestSessions.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
