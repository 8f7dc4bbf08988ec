"""The order of steps, and states that survive storage."""

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paper_search import mcp_server as server
from paper_search import search
from paper_search.config import AppConfig, SearchSourceConfig
from paper_search.models import (
    Paper,
    RawPaper,
    SearchConstraints,
    SearchQuery,
    SearchStrategy,
    SourceReport,
    UserFeedback,
)
from paper_search.plan import InvalidPlan
from paper_search.skills import FoundPapers
from paper_search.sources.interface import Library, PaperText
from paper_search.workflow import SearchWorkflow
from paper_search.workflow.checkpoints import (
    CheckpointHandler,
    CheckpointKind,
    Decision,
)
from paper_search.workflow.errors import AllSourcesFailed
from paper_search.workflow.state import WorkflowState
from tests.paper_search.samples import strategy
from tests.paper_search.workflows import APPROVE, Finder, Parts, Script, decision

STRATEGY, RESULT = CheckpointKind.strategy_confirmation, CheckpointKind.result_review


@pytest.mark.scenario("search-product / Engine apart from its hosts (C7) / Engine runs without a host")
def test_collaborators_of_ones_own_are_used_and_a_collection_comes_back() -> None:
    parts = Parts()
    result = asyncio.run(parts.workflow().run("graphs"))
    assert [paper.id for paper in result.papers] == ["1a", "1b"]
    assert parts.parser.asked == ["graphs"]
    code = (
        "import sys, paper_search.workflow.engine, paper_search.skills.searcher;"
        "sys.exit(bool({'paper_search.mcp_server', 'paper_search.__main__', 'mcp'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_each_iteration_asks_at_both_checkpoints_with_the_same_run_id() -> None:
    script = Script([APPROVE, decision("edit", UserFeedback()), APPROVE, APPROVE])
    asyncio.run(Parts().workflow(script).run("graphs"))
    assert [(seen.kind, seen.iteration) for seen in script.seen] == [
        (STRATEGY, 0),
        (RESULT, 0),
        (STRATEGY, 1),
        (RESULT, 1),
    ]
    assert len({seen.run_id for seen in script.seen}) == 1
    assert len({seen.checkpoint_id for seen in script.seen}) == 4


def test_the_strategy_checkpoint_can_be_left_out() -> None:
    script = Script()
    asyncio.run(Parts().workflow(script, enable_strategy_checkpoint=False).run("graphs"))
    assert [seen.kind for seen in script.seen] == [RESULT]


def test_nothing_found_is_still_reviewed() -> None:
    parts, script = Parts(), Script()
    parts.finder.per_search = 0
    result = asyncio.run(parts.workflow(script).run("graphs"))
    assert result.papers == []
    assert [seen.kind for seen in script.seen] == [STRATEGY, RESULT]


class Following(Finder):
    """A finder whose papers cite nothing that the plan lets pass."""

    async def follow(self, papers: Sequence[Paper], strategy: SearchStrategy) -> FoundPapers:
        steps = [f"papers linked with {len(papers)} marked relevant: 7", "left out by authors: 7"]
        return FoundPapers([], {"fake": SourceReport(steps=steps)})


def test_citations_that_lead_to_nothing_say_why() -> None:
    workflow = Parts(finder=Following()).workflow(
        Script([APPROVE, decision("edit", {"like": ["1a"], "follow_citations": True})])
    )
    asyncio.run(workflow.run("graphs"))
    assert workflow.state is not None
    assert workflow.state.notices == [
        "No new papers by citations: papers linked with 1 marked relevant: 7; left out by authors: 7."
    ]


def test_a_plan_with_a_source_that_is_not_there_is_refused_before_the_search() -> None:
    config = AppConfig(sources={"crossref": SearchSourceConfig(name="crossref")})
    with pytest.raises(InvalidPlan, match="nope cannot be asked here; there are crossref"):
        asyncio.run(search("graphs", config, plan={"topic": "graphs", "sources": ["nope"]}))


actions = st.lists(
    st.sampled_from([APPROVE, decision("reject", note="again"), decision("edit", {"free_text_feedback": "x"})]),
    max_size=8,
)


@settings(max_examples=30, deadline=None)
@given(actions)
def test_a_state_stored_after_every_step_gives_the_same_result_and_fetches_nothing_twice(
    decisions: list[Decision],
) -> None:
    """Each step is taken by a new engine from the stored text of the state."""
    parts = Parts()
    plan = [
        item if item.action != "edit" else decision("edit", UserFeedback(prefer=["proteins"])) for item in decisions
    ]
    state = WorkflowState(query="graphs")
    while not state.is_complete:
        state = WorkflowState.model_validate_json(state.model_dump_json())
        engine = parts.workflow()
        if state.checkpoint is None:
            state = asyncio.run(engine.step(state))
            continue
        chosen = plan.pop(0) if plan else APPROVE
        if chosen.action == "edit" and state.checkpoint.kind is STRATEGY:
            chosen = decision("edit", strategy("edited"))
        before = state.step
        state = engine.decide(state, chosen)
        assert state.step == before + 1
    searched = sum(record.phase == "search" for record in state.history)
    assert len(parts.finder.asked) == searched
    assert state.result is not None


@pytest.mark.scenario("search-product / Async first (C8) / Working functions are coroutines")
def test_what_does_work_is_a_coroutine() -> None:
    working = [
        search,
        SearchWorkflow.run,
        CheckpointHandler.handle,
        server.search_papers,
        server.decide,
        server.export_results,
        server.get_session,
    ]
    assert all(inspect.iscoroutinefunction(function) for function in working)


def test_making_a_workflow_from_a_configuration_reads_nothing() -> None:
    workflow = SearchWorkflow.from_config(AppConfig.model_validate({"snapshot": "/nowhere/at/all.db"}))
    assert workflow.state is None


class ListedPapers(Library):
    """A library that holds one paper and knows one keyword."""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        return [RawPaper(id="gilmer", title="Neural message passing on graphs", source="snapshot")]

    def keywords(self) -> list[str]:
        return ["gnn"]

    def mentions(self, *phrases: str) -> list[PaperText]:
        return []


def test_a_library_of_ones_own_is_searched_and_gives_the_synonyms() -> None:
    nowhere = AppConfig.model_validate({"snapshot": "/nowhere/at/all.db"})
    workflow = SearchWorkflow.from_config(nowhere, library=ListedPapers())
    result = asyncio.run(workflow.run("graph neural networks"))
    assert [paper.id for paper in result.papers] == ["gilmer"]
    assert result.metadata.search_strategy.queries[0].boolean_query == "(graph OR neural OR networks OR gnn)"
    assert workflow.state is not None
    assert workflow.state.sources == {"snapshot": SourceReport(count=1, steps=["graph neural networks: 1", "gnn: 1"])}


def test_a_library_of_ones_own_is_left_alone_where_other_sources_are_configured() -> None:
    config = AppConfig(sources={"serpapi": SearchSourceConfig(name="serpapi")})
    workflow = SearchWorkflow.from_config(config, library=ListedPapers())
    with pytest.raises(AllSourcesFailed, match=r"^serpapi: needs an API key$"):
        asyncio.run(workflow.run("graphs"))
