"""Bounds of strategies, marks and notes: held for whoever sends them, and for what is stored."""

import asyncio
import json
from typing import Any  # JSON as it is stored

import pytest
from pydantic import ValidationError

from paper_search.models import SearchConstraints, SearchQuery, SearchStrategy, SourceFacts, SynonymMap, UserFeedback
from paper_search.plan import InvalidPlan, read_plan
from paper_search.queries import all_of
from paper_search.skills.intent_parser import RuleIntentParser
from paper_search.skills.thesaurus import Thesaurus
from paper_search.workflow.checkpoints import (
    Checkpoint,
    CheckpointKind,
    Decision,
    DecisionAction,
    StrategyPayload,
    feedback_of,
    make_decision,
    revised_strategy,
)
from paper_search.workflow.decisions import apply_decision
from paper_search.workflow.errors import InvalidDecision, UnusableState
from paper_search.workflow.state import WorkflowState, load_state
from papercore import limits

QUERY: dict[str, Any] = {"keywords": ["attention"], "boolean_query": "attention"}
STRATEGY: dict[str, Any] = {"queries": [QUERY], "sources": ["snapshot"], "filters": {}}
LONGEST = {"keywords": ["x" * limits.KEYWORD_CHARS] * limits.QUERY_KEYWORDS, "boolean_query": "x" * 300}


def with_filters(**filters: object) -> dict[str, Any]:
    return {**STRATEGY, "filters": filters}


def with_queries(*queries: object) -> dict[str, Any]:
    return {**STRATEGY, "queries": list(queries)}


@pytest.mark.parametrize(
    "data",
    [
        with_filters(max_results=limits.SEARCH_RESULTS, year_from=0, year_to=limits.LAST_YEAR),
        with_queries(*[QUERY] * limits.STRATEGY_QUERIES),
        with_queries(LONGEST),
        {**STRATEGY, "sources": ["s" * limits.ID_CHARS] * limits.STRATEGY_SOURCES},
    ],
)
def test_a_strategy_at_its_bounds_is_taken(data: dict[str, object]) -> None:
    assert revised_strategy(make_decision("edit", data, "n" * limits.NOTE_CHARS))


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (with_filters(max_results=limits.SEARCH_RESULTS + 1), "max_results"),
        (with_filters(max_results=0), "max_results"),
        (with_filters(max_results=10**12), "max_results"),
        (with_filters(year_from=10**19), "year_from"),
        (with_filters(year_to=-1), "year_to"),
        (with_filters(language="l" * 41), "language"),
        (with_queries(*[QUERY] * (limits.STRATEGY_QUERIES + 1)), "queries"),
        (with_queries(*[QUERY] * 9_000), "queries"),
        (with_queries({**QUERY, "keywords": ["x"] * (limits.QUERY_KEYWORDS + 1)}), "keywords"),
        (with_queries({**QUERY, "keywords": ["x" * (limits.KEYWORD_CHARS + 1)]}), "keywords"),
        (with_queries({**QUERY, "boolean_query": "x" * (limits.BOOLEAN_CHARS + 1)}), "boolean_query"),
        (with_queries({**QUERY, "synonym_map": [{"keyword": "x", "synonyms": ["y"] * 11}]}), "synonyms"),
        (with_queries(*[LONGEST] * limits.STRATEGY_QUERIES), "characters in all"),
        ({**STRATEGY, "sources": ["s"] * 100_000}, "sources"),
        ({**STRATEGY, "sources": ["s" * 1_000_000]}, "sources"),
    ],
)
def test_a_strategy_beyond_its_bounds_is_refused_in_few_words(data: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidDecision, match=field) as caught:
        revised_strategy(make_decision("edit", data, None))
    assert len(caught.value.message) < 2_500


def test_a_strategy_that_was_changed_after_it_was_made_is_checked_again() -> None:
    strategy = SearchStrategy.model_validate(STRATEGY)
    strategy.filters.max_results = 10**12
    with pytest.raises(InvalidDecision, match="max_results"):
        revised_strategy(Decision(action=DecisionAction.edit, revised_data=strategy))


def test_marks_and_notes_have_bounds() -> None:
    ids = [f"openalex:W{number}" for number in range(limits.MARKS)]
    assert feedback_of(make_decision("edit", {"marked_relevant": ids, "marked_irrelevant": ids}, "note"))
    beyond: list[dict[str, object]] = [
        {"marked_relevant": [*ids, "another"]},
        {"marked_irrelevant": ["x" * (limits.MARK_CHARS + 1)]},
        {"free_text_feedback": "x" * (limits.NOTE_CHARS + 1)},
        {"free_text_feedback": "x" * limits.NOTE_CHARS},
    ]
    for data in beyond:
        with pytest.raises(InvalidDecision):
            feedback_of(make_decision("edit", data, "and a note"))
    with pytest.raises(InvalidDecision, match="note"):
        make_decision("approve", None, "x" * (limits.NOTE_CHARS + 1))


def test_a_term_cannot_rank_a_paper_higher_and_lower() -> None:
    both: dict[str, object] = {"prefer": ["graphs", "Trees"], "avoid": ["trees "]}
    said = "prefer and avoid: Trees cannot be in both; keep one."
    with pytest.raises(InvalidDecision, match=said):
        feedback_of(make_decision("edit", both, None))
    with pytest.raises(InvalidDecision, match=said):
        feedback_of(make_decision("edit", {"constraints": both}, None))
    with pytest.raises(InvalidDecision, match=said):
        revised_strategy(make_decision("edit", both, None))
    with pytest.raises(InvalidPlan, match=said):
        read_plan({"topic": "parsing", **both})


def waiting_state() -> WorkflowState:
    strategy = SearchStrategy.model_validate(STRATEGY)
    payload = StrategyPayload.model_validate({"intent": {"topic": "attention"}, "strategy": strategy})
    checkpoint = Checkpoint(kind=CheckpointKind.strategy_confirmation, payload=payload, run_id="run")
    return WorkflowState(query="attention", strategy=strategy, checkpoint=checkpoint)


def test_data_that_comes_with_an_approval_is_checked_too() -> None:
    state = waiting_state()
    assert apply_decision(state, make_decision("approve", {}, None), 5).checkpoint is None
    with pytest.raises(InvalidDecision, match="The plan cannot be used"):
        apply_decision(state, make_decision("approve", {"anything": "x" * 900_000}, None), 5)


def test_a_stored_state_beyond_the_bounds_is_cut_to_them() -> None:
    stored = json.loads(waiting_state().model_dump_json())
    stored["strategy"]["filters"]["max_results"] = 10**12
    stored["strategy"]["filters"]["year_from"] = -(10**19)
    stored["checkpoint"]["payload"]["strategy"]["queries"] *= 9_000
    stored["checkpoint"]["payload"]["strategy"]["sources"] = ["s" * 1_000] * 1_000
    stored["feedback"] = {"marked_relevant": ["x"] * 5_000, "free_text_feedback": "x" * 50_000}
    state = load_state(json.dumps(stored))
    assert state.strategy is not None
    assert (state.strategy.filters.max_results, state.strategy.filters.year_from) == (limits.SEARCH_RESULTS, 0)
    assert state.checkpoint is not None
    assert isinstance(state.checkpoint.payload, StrategyPayload)
    assert len(state.checkpoint.payload.strategy.queries) == limits.STRATEGY_QUERIES
    assert state.feedback is not None
    assert len(state.feedback.marked_relevant) == limits.MARKS
    assert load_state(state.model_dump_json()) == state


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"query": 3}', "[" * 100_000, '{"query": "x", "step": ' + "9" * 5_000 + "}"]
)
def test_a_stored_text_that_is_no_state_is_told(text: str) -> None:
    with pytest.raises(UnusableState, match="start a new one"):
        load_state(text)


@pytest.mark.parametrize("text", ["㌖" * limits.QUERY_CHARS, "ﷺ" * limits.QUERY_CHARS, "x" * 100_000, '"a b" ' * 80])
def test_what_the_rules_write_is_within_the_bounds_whatever_was_asked(text: str) -> None:
    intent = asyncio.run(RuleIntentParser().parse(text))
    boolean = all_of([[concept] for concept in intent.concepts], [text])
    assert SearchQuery(keywords=[intent.topic, *intent.concepts], boolean_query=boolean)


def test_a_librarys_overlong_keyword_is_no_synonym() -> None:
    thesaurus = Thesaurus(lambda: ["graph network " * 10, "network graph"], lambda *phrases: [])
    assert SynonymMap(keyword="graph network", synonyms=thesaurus.synonyms("graph network")).synonyms == [
        "network graph"
    ]


def test_models_refuse_what_tools_refuse() -> None:
    for make in (
        lambda: SearchConstraints(max_results=10**12),
        lambda: UserFeedback(marked_relevant=["x"] * (limits.MARKS + 1)),
    ):
        with pytest.raises(ValidationError):
            make()


def test_a_search_stored_under_way_by_version_0_3_goes_on_with_what_its_sources_said() -> None:
    raw = {"id": "a", "title": "Graphs", "raw_data": {"match": 0.5, "language": "de", "arxiv_id": "1706.03762"}}
    scored = {"paper": {"title": "Trees", "raw_data": {"retracted": True, "own": 1}}, "relevance_score": 0.5}
    state = load_state(json.dumps({"query": "graphs", "raw_papers": [raw], "scored_papers": [scored]}))
    assert state.raw_papers[0].facts == SourceFacts(match=0.5, language="de", arxiv_id="1706.03762")
    assert state.scored_papers[0].paper.facts == SourceFacts(retracted=True)
    assert load_state(state.model_dump_json()) == state
