"""Cases that sources, skills and texts seldom meet."""

import asyncio
import logging

import pytest

from paper_search.config import AppConfig, SearchSourceConfig
from paper_search.domains import DOMAINS
from paper_search.models import IntentType, ParsedIntent, RawPaper, SearchConstraints, SearchQuery
from paper_search.skills.refined import RefinedRelevanceScorer
from paper_search.skills.relevance_scorer import RuleRelevanceScorer
from paper_search.skills.text_match import match_scores
from paper_search.sources import http
from paper_search.sources.errors import SourceError
from paper_search.workflow.assembly import make_source
from paper_search.workflow.checkpoints import Decision, DecisionAction, InvalidDecision
from paper_search.workflow.decisions import apply_decision
from paper_search.workflow.state import WorkflowState
from papercore import limits
from papercore.rendering.markdown import render
from tests.paper_search.answers import EMPTY
from tests.paper_search.http_server import Answer, Service, serving

QUERY = SearchQuery(keywords=["graphs"], boolean_query="graphs")


async def found(service: Service, name: str, filters: SearchConstraints, key: str = "") -> list[RawPaper]:
    source = make_source(
        SearchSourceConfig(name=name, api_key=key, rate_limit=1000, base_url=service.address), AppConfig(timeout=5)
    )
    return await source.search(QUERY, filters)


@pytest.mark.parametrize("name", ["arxiv", "europe_pmc", "semantic_scholar", "openalex"])
def test_without_years_none_are_asked_for(name: str) -> None:
    with serving(EMPTY[name]) as service:
        assert asyncio.run(found(service, name, SearchConstraints())) == []
    assert "2999" not in str(service.asked[0].params)
    assert not {"year", "api_key"} & set(service.asked[0].params)


def test_openalex_is_asked_for_a_language_and_odd_abstracts_are_left_out() -> None:
    odd = {"id": "x/W1", "display_name": "One", "abstract_inverted_index": {"far": [10_000_000, "no"], "near": [0]}}
    with serving(Answer({"meta": {}, "results": [odd]})) as service:
        (paper,) = asyncio.run(found(service, "openalex", SearchConstraints(language="de", max_results=1), "key"))
    assert "language:de" in service.asked[0].params["filter"]
    assert paper.abstract == "near"


def test_a_record_without_title_or_id_is_no_paper() -> None:
    records = [{"id": "1"}, {"title": "No id"}]
    with serving(Answer({"resultList": {"result": records}})) as service:
        assert asyncio.run(found(service, "europe_pmc", SearchConstraints())) == []


def test_an_answer_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_RESPONSE_BYTES", 10)
    with serving(Answer("x" * 100)) as service, pytest.raises(SourceError, match="too much"):
        asyncio.run(found(service, "openalex", SearchConstraints()))


def test_nothing_to_score_gives_no_scores() -> None:
    assert match_scores("graphs", []) == []


@pytest.mark.parametrize(
    ("kind", "title", "reason"),
    [
        (IntentType.survey, "Graph networks: a survey", "a review"),
        (IntentType.dataset, "A dataset of graph networks", "about data"),
    ],
)
def test_what_fits_the_question_is_said(kind: IntentType, title: str, reason: str) -> None:
    intent = ParsedIntent(topic="graph networks", concepts=["graph networks"], intent_type=kind)
    paper = RawPaper(id="1", title=title, source="test")
    (scored,) = asyncio.run(RuleRelevanceScorer(DOMAINS["general"], 2026).score([paper], intent))
    assert reason in scored.relevance_reason


def test_a_formula_without_an_end_stays_text_and_too_many_stay_as_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "<math" not in render(r"An open \(x + 1 and more").html
    assert "<math" in render(r"[a link with \(x\)](https://example.org)").html
    monkeypatch.setattr(limits, "FORMULAS", 1)
    assert render("$a$ and $b$").html.count("<math") == 1


def test_a_letter_without_that_style_stays_as_it_is() -> None:
    assert "<math" in render(r"$\mathbb{1} + \mathfrak{\beta}$").html


def test_a_decision_needs_a_checkpoint() -> None:
    with pytest.raises(InvalidDecision):
        apply_decision(WorkflowState(query="graphs"), Decision(action=DecisionAction.approve), 3)


def test_log_lines_with_named_arguments_pass(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="httpx"):
        logging.getLogger("httpx").info("asked %(host)s", {"host": "nobody"})
    assert "asked nobody" in caplog.text


def test_a_service_that_refuses_the_query_is_an_error_and_one_without_hits_is_none() -> None:
    nothing = {"error": "Google hasn't returned any results for this query."}
    with serving(Answer(nothing), Answer({"error": "Your account is closed."})) as service:
        assert asyncio.run(found(service, "serpapi", SearchConstraints(), "key")) == []
        with pytest.raises(SourceError, match="refused"):
            asyncio.run(found(service, "serpapi", SearchConstraints(), "key"))


class NeverAsked:
    """A model that nobody should ask."""

    async def ask(self, *question: object) -> None:
        raise AssertionError("asked")


def test_a_model_is_not_asked_to_judge_nothing() -> None:
    scorer = RefinedRelevanceScorer(RuleRelevanceScorer(DOMAINS["general"], 2026), NeverAsked())  # type: ignore[arg-type]
    assert asyncio.run(scorer.score([], ParsedIntent(topic="graphs"))) == []
