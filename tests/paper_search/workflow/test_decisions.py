"""What each decision does to a search."""

import asyncio

import pytest

from paper_search.models import UserFeedback
from paper_search.workflow.checkpoints import (
    CheckpointKind,
    Decision,
    DecisionAction,
    ResultPayload,
)
from paper_search.workflow.decisions import apply_decision
from paper_search.workflow.errors import InvalidDecision
from paper_search.workflow.state import WorkflowState
from tests.paper_search.samples import strategy
from tests.paper_search.workflows import APPROVE, Parts, Script, decision

STRATEGY, RESULT = CheckpointKind.strategy_confirmation, CheckpointKind.result_review


def test_an_edited_strategy_is_the_one_that_is_searched() -> None:
    parts, other = Parts(), strategy("molecules")
    asyncio.run(parts.workflow(Script([decision("edit", other)])).run("graphs"))
    assert parts.finder.asked == [other]


def test_a_rejected_strategy_is_not_searched_and_its_note_reaches_the_builder() -> None:
    parts = Parts()
    asyncio.run(parts.workflow(Script([decision("reject", note="only reviews")])).run("graphs"))
    assert len(parts.finder.asked) == 1
    second = parts.builder.asked[1]
    assert second.user_feedback == UserFeedback(free_text_feedback="only reviews")
    assert second.previous_strategies == [strategy("graphs", "attempt 1")]
    assert parts.parser.asked == ["graphs"]


def test_papers_marked_relevant_are_kept_and_irrelevant_ones_never_come_back() -> None:
    script = Script([APPROVE, decision("edit", {"marked_relevant": ["1b"], "marked_irrelevant": ["1a"]})])
    result = asyncio.run(Parts().workflow(script).run("graphs"))
    assert {paper.id for paper in result.papers} == {"1b", "2a", "2b"}
    last = script.seen[-1].payload
    assert isinstance(last, ResultPayload)
    assert [paper.id for paper in last.accumulated_papers] == ["1b"]


def test_a_rejected_result_takes_the_note_as_feedback() -> None:
    parts = Parts()
    asyncio.run(parts.workflow(Script([APPROVE, decision("reject", note="too old")])).run("graphs"))
    assert parts.builder.asked[1].user_feedback == UserFeedback(free_text_feedback="too old")


def test_approving_with_marks_leaves_the_irrelevant_out() -> None:
    script = Script([APPROVE, decision("approve", {"marked_irrelevant": ["1a"]})])
    result = asyncio.run(Parts().workflow(script).run("graphs"))
    assert [paper.id for paper in result.papers] == ["1b"]


def test_when_the_iterations_are_used_up_the_last_collection_with_the_kept_papers_is_the_result() -> None:
    again = [APPROVE, decision("edit", UserFeedback(marked_relevant=["1a"])), APPROVE, decision("reject", note="no")]
    result = asyncio.run(Parts().workflow(Script(again), max_iterations=2).run("graphs"))
    assert {paper.id for paper in result.papers} == {"1a", "2a", "2b"}


def test_rejecting_every_strategy_ends_with_an_empty_collection() -> None:
    rejections = [decision("reject") for _ in range(3)]
    result = asyncio.run(Parts().workflow(Script(rejections), max_iterations=3).run("graphs"))
    assert result.papers == []
    assert result.metadata.query == "graphs"


@pytest.mark.parametrize(
    ("kind", "bad"),
    [
        (STRATEGY, decision("edit")),
        (STRATEGY, decision("edit", {"queries": "none"})),
        (STRATEGY, decision("edit", {"queries": [], "sources": ["snapshot"]})),
        (STRATEGY, decision("edit", UserFeedback())),
        (RESULT, decision("edit")),
        (RESULT, decision("edit", {"marked_relevant": 3})),
        (RESULT, decision("edit", {"no_such_field": []})),
        (RESULT, decision("approve", strategy("x"))),
        (RESULT, decision("approve", {"only_relevant": True})),
    ],
)
def test_data_that_does_not_fit_is_refused_and_changes_nothing(kind: CheckpointKind, bad: Decision) -> None:
    workflow = Parts().workflow()
    state = asyncio.run(workflow.advance(WorkflowState(query="graphs")))
    if kind is RESULT:
        state = asyncio.run(workflow.advance(state, APPROVE))
    before = state.model_copy(deep=True)
    with pytest.raises(InvalidDecision):
        asyncio.run(workflow.advance(state, bad))
    assert state == before


def test_a_decision_needs_a_checkpoint() -> None:
    with pytest.raises(InvalidDecision):
        apply_decision(WorkflowState(query="graphs"), Decision(action=DecisionAction.approve), 3)


def test_papers_marked_unsure_are_left_out_unless_they_are_asked_for() -> None:
    workflow = Parts().workflow(Script([APPROVE, decision("approve", {"marked_unsure": ["1a"]})]))
    result = asyncio.run(workflow.run("graphs"))
    assert [paper.id for paper in result.papers] == ["1b"]
    assert workflow.state is not None
    assert workflow.state.result_with_unsure is not None
    assert [paper.id for paper in workflow.state.result_with_unsure.papers] == ["1b", "1a"]


def test_a_later_mark_takes_the_place_of_an_earlier_one() -> None:
    again = [
        APPROVE,
        decision("edit", {"marked_relevant": ["1a"], "marked_irrelevant": ["1b"]}),
        APPROVE,
        decision("edit", {"marked_unsure": ["1a", "1b", "2a"]}),
        APPROVE,
        decision("approve", {"marked_relevant": ["2a"]}),
    ]
    workflow = Parts().workflow(Script(again))
    result = asyncio.run(workflow.run("graphs"))
    assert {paper.id for paper in result.papers} == {"2a", "3a", "3b"}
    assert workflow.state is not None
    assert [paper.id for paper in workflow.state.unsure] == ["1a", "1b"]


def test_a_paper_marked_relevant_is_never_behind_one_that_nobody_marked() -> None:
    script = Script([APPROVE, decision("edit", {"like": ["1b"]})])
    result = asyncio.run(Parts().workflow(script).run("graphs"))
    assert [paper.id for paper in result.papers] == ["1b", "2a", "2b"]


def test_approving_takes_only_the_papers_marked_relevant_where_that_was_chosen() -> None:
    script = Script([APPROVE, decision("approve", {"like": ["1b"], "only_relevant": True})])
    result = asyncio.run(Parts().workflow(script).run("graphs"))
    assert [paper.id for paper in result.papers] == ["1b"]
    assert result.metadata.selection == "marked_relevant"
    assert asyncio.run(Parts().workflow().run("graphs")).metadata.selection == "all_but_rejected"


def test_a_plan_with_a_source_that_is_not_there_is_refused() -> None:
    workflow = Parts().workflow()
    state = asyncio.run(workflow.advance(WorkflowState(query="graphs")))
    with pytest.raises(InvalidDecision, match="nope cannot be asked here; there are"):
        asyncio.run(workflow.advance(state, decision("edit", {"sources": ["nope"]})))
