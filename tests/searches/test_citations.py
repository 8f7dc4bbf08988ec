"""Following the citations of what was marked relevant, as a round of its own."""

import json
from pathlib import Path

import pytest
from django.test import Client

from paper_search.workflow.errors import InvalidDecision
from paper_search.workflow.session_state import ResultSummary, SessionState
from searches import tools
from tests.snapshot import SamplePaper, build

pytestmark = pytest.mark.usefixtures("database", "birds")


def citing(*dois: str) -> str:
    """A text whose references share no word with the papers they cite."""
    return "# T\n\n## References\n\n" + "\n".join(f"{n}. doi:{doi}" for n, doi in enumerate(dois, 1)) + "\n"


PAPERS = [
    SamplePaper("nests", "Nests", ["Bill Bo"], year="2001", doi="10.5555/22", source=citing("10.5555/11")),
    SamplePaper("weight", "How heavy small birds are", ["Ada Ames"], year="1998", doi="10.5555/11"),
    SamplePaper("survey", "A Survey", ["Sue Stone"], year="2020", source=citing("10.5555/11", "10.5555/22")),
    SamplePaper("flight", "Flight", ["Finn Fly"], year="2010", doi="10.5555/33", source=citing("10.5555/22")),
    SamplePaper("wings", "Wings", ["Wim Way"], year="2012", source=citing("10.5555/33")),
]


@pytest.fixture
def birds(own_library: Path) -> Path:
    build(own_library.parent, PAPERS)
    return own_library


def review(state: SessionState) -> ResultSummary:
    assert state.checkpoint is not None
    assert isinstance(state.checkpoint.payload, ResultSummary)
    return state.checkpoint.payload


def reviewed(topic: str = "Nests", **plan: object) -> SessionState:
    return tools.decide(tools.start_search(topic, plan={"topic": topic, **plan}).session_id, "approve")  # type: ignore[arg-type]  # the tool reads it


def test_what_citations_lead_to_is_reviewed_by_itself_and_the_result_has_all() -> None:
    state = reviewed()
    assert [paper.id for paper in review(state).papers] == ["nests"]
    state = tools.decide(state.session_id, "edit", {"like": ["nests"], "follow_citations": True})
    assert (review(state).by_citations, state.iteration) == (True, 1)
    reasons = {paper.id: paper.reason for paper in review(state).papers}
    assert set(reasons) == {"weight", "survey", "flight"}
    assert reasons["weight"].startswith("Cited by 1 of the relevant papers")
    assert reasons["survey"].startswith("Cites 1 of the relevant papers")
    assert state.sources["snapshot"].count == 3
    state = tools.decide(state.session_id, "approve", {"like": ["weight"], "unlike": ["flight"]})
    assert state.is_complete
    papers = [paper["id"] for paper in json.loads(tools.export_results(state.session_id, "json").text)["papers"]]
    assert set(papers[:2]) == {"nests", "weight"}
    assert papers[2:] == ["survey"]


def test_citations_of_what_they_led_to_can_be_followed_further_and_a_search_can_come_after() -> None:
    state = reviewed("Wings")
    state = tools.decide(state.session_id, "edit", {"like": ["wings"], "follow_citations": True})
    assert [paper.id for paper in review(state).papers] == ["flight"]
    state = tools.decide(state.session_id, "edit", {"like": ["flight"], "follow_citations": True})
    assert {paper.id for paper in review(state).papers} == {"nests"}
    state = tools.decide(state.session_id, "edit", {"like": ["nests"]}, note="since 1990")
    assert state.current_checkpoint_kind == "strategy_confirmation"
    state = tools.decide(state.session_id, "approve")
    assert state.current_checkpoint_kind == "result_review"


def test_the_plan_holds_for_what_citations_lead_to() -> None:
    state = reviewed(year_to=2005)
    state = tools.decide(state.session_id, "edit", {"like": ["nests"], "follow_citations": True})
    assert [paper.id for paper in review(state).papers] == ["weight"]


@pytest.mark.parametrize(
    ("action", "data", "said"),
    [("edit", {"follow_citations": True}, "needs papers"), ("approve", {"follow_citations": True}, "goes with edit")],
)
def test_it_is_refused_without_marks_and_with_approve(action: str, data: dict[str, object], said: str) -> None:
    state = reviewed()
    with pytest.raises(InvalidDecision, match=said):
        tools.decide(state.session_id, action, data)  # type: ignore[arg-type]  # one of the actions
    assert tools.get_session(state.session_id).current_checkpoint_kind == "result_review"


def test_a_person_follows_citations_on_the_page(client: Client) -> None:
    page = f"/searches/{reviewed().session_id}/"
    assert "follows the citations" in client.get(page).content.decode()
    state = tools.get_session(page.split("/")[2])
    assert state.checkpoint is not None
    form = {
        "checkpoint_id": state.checkpoint.checkpoint_id,
        "action": "edit",
        "paper-1": "nests",
        "verdict-1": "relevant",
        "follow_citations": "1",
    }
    client.post(f"{page}decide", form)
    assert review(tools.get_session(state.session_id, wait_seconds=20)).by_citations
    shown = client.get(page).content.decode()
    assert "Review what citations led to" in shown
    assert "Citations followed" in shown
    assert "3 records: 1 cited, 2 citing" in shown
