"""A text that cleaning leaves empty is invalid input for agents, programs and people alike."""

import json
from collections.abc import Callable

import pytest
from django.test import Client

from papercore.errors import InvalidInput
from papers import tools as papers
from searches import tools as searches
from specs import tools as specs

NOTHING = "\0"
CALLS: dict[str, Callable[[], object]] = {
    "search_papers": lambda: papers.search_papers(NOTHING),
    "search_papers author": lambda: papers.search_papers("", author=NOTHING),
    "search_papers_by_keyword": lambda: papers.search_papers_by_keyword(NOTHING),
    "search_papers_by_keyword blank": lambda: papers.search_papers_by_keyword("  "),
    "filter_papers": lambda: papers.filter_papers(venue=NOTHING),
    "suggest": lambda: papers.suggest(NOTHING),
    "get_spec_requirements": lambda: specs.get_spec_requirements(NOTHING),
    "get_scenario": lambda: specs.get_scenario("mcp-server", NOTHING),
    "search_specs": lambda: specs.search_specs(NOTHING),
    "start_search": lambda: searches.start_search(NOTHING),
    "decide note": lambda: searches.decide("a" * 32, "approve", note=NOTHING),
    "get_session": lambda: searches.get_session(NOTHING),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_tool_refuses_it(name: str) -> None:
    with pytest.raises(InvalidInput):
        CALLS[name]()


@pytest.mark.django_db
def test_an_agent_is_told_which_argument_is_empty() -> None:
    call = {"name": "search_papers_by_keyword", "arguments": {"keyword": NOTHING}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    response = Client().post("/mcp", json.dumps(message), "application/json", headers={"Accept": "application/json"})
    result = response.json()["result"]
    assert result["isError"]
    assert result["structuredContent"]["problems"][0]["argument"] == "keyword"


@pytest.mark.parametrize(
    "address",
    [
        "papers?query=%00",
        "papers?author=%00",
        "papers-by-keyword?keyword=%00",
        "papers-by-keyword?keyword=%20",
        "papers-by-facet?tag=%00",
        "suggestions?prefix=%00",
    ],
)
def test_rest_answers_422(address: str) -> None:
    response = Client().get(f"/api/{address}")
    assert response.status_code == 422
    assert response.json()["error"] == "invalid_input"


@pytest.mark.parametrize(
    "address",
    ["/papers/?q=%00", "/papers/?author=%00", "/papers.json?q=%00", "/by/author/?q=%00", "/specs/search/?q=%00"],
)
def test_a_page_answers_400(address: str) -> None:
    assert Client().get(address).status_code == 400


@pytest.mark.parametrize("name", ["%00", "%20", "%E2%80%8B", "x" * 501])
def test_no_author_has_a_name_that_nobody_can_see_or_write(name: str) -> None:
    assert Client().get(f"/by/author/{name}/").status_code == 404
