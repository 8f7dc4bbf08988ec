"""REST: the same tools, limits and error codes as over MCP."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from pydantic import BaseModel

from papers import tools
from papersite.pages.rest import api
from tests.snapshot import write


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        ("/api/papers?query=transformer", lambda: tools.search_papers("transformer")),
        ("/api/papers", lambda: tools.search_papers("")),
        ("/api/papers-by-keyword?keyword=transformer", lambda: tools.search_papers_by_keyword("transformer")),
        (
            "/api/papers-by-facet?author=shazeer&year_from=2018",
            lambda: tools.filter_papers(author="shazeer", year_from=2018),
        ),
        ("/api/papers/123", lambda: tools.get_paper_metadata("123")),
        ("/api/papers/123/summary?template=deep_read", lambda: tools.get_paper_summary("123", "deep_read")),
        ("/api/papers/456/source?max_chars=50", lambda: tools.get_paper_source("456", 50)),
        ("/api/papers/123/translations/zh", lambda: tools.get_paper_translation("123", "zh")),
        ("/api/papers/123/references", lambda: tools.get_paper_references("123")),
        ("/api/papers/123/bibtex", lambda: tools.get_paper_bibtex("123")),
        ("/api/facets/author?limit=3", lambda: tools.list_top_facets("author", 3)),
        ("/api/stats", lambda: tools.get_database_stats()),
    ],
)
def test_each_route_answers_as_its_tool(client: Client, url: str, answer: Callable[[], BaseModel]) -> None:
    response = client.get(url)
    assert response.status_code == 200
    assert response.json() == answer().model_dump()


@pytest.mark.parametrize(
    ("url", "status", "code"),
    [
        ("/api/papers?limit=101", 422, "invalid_input"),
        ("/api/papers?offset=10001", 422, "invalid_input"),
        ("/api/papers?query=" + "x" * 501, 422, "invalid_input"),
        ("/api/papers-by-keyword", 422, "invalid_input"),
        ("/api/facets/colour", 422, "invalid_input"),
        ("/api/papers/<script>", 404, "paper_not_found"),
        ("/api/papers/a%20b", 422, "invalid_input"),
        ("/api/papers/none", 404, "paper_not_found"),
        ("/api/papers/123/summary?template=none", 404, "template_not_available"),
        ("/api/papers/789/bibtex", 404, "bibtex_not_found"),
    ],
)
def test_errors_have_one_shape(client: Client, url: str, status: int, code: str) -> None:
    response = client.get(url)
    assert (response.status_code, response.json()["error"]) == (status, code)
    assert response.json()["message"]


def test_a_text_that_cannot_be_read_is_503(client: Client, own_library: Path) -> None:
    write(own_library.parent / "static" / "summary" / "456" / "simple.json", "not json")
    response = client.get("/api/papers/456/summary")
    assert (response.status_code, response.json()["error"]) == (503, "asset_parse_failed")


def test_our_own_faults_are_logged_and_not_explained(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    request = client.get("/api/stats").wsgi_request
    with caplog.at_level(logging.ERROR):
        response = api.on_exception(request, RuntimeError("secret path /etc"))
    assert response.status_code == 500
    assert b"secret" not in response.content
    assert "REST call failed" in caplog.text


def test_quotes_are_verified_over_rest(client: Client) -> None:
    body = {
        "quotes": [{"quote": "recurrence is gone", "where": "123"}, {"quote": "recurrence is here", "where": "123"}]
    }
    answer = client.post("/api/verified-quotes", body, content_type="application/json").json()
    assert [quote["found"] for quote in answer["quotes"]] == [True, False]
    address = answer["quotes"][0]["place"]["address"]
    passage = client.get(f"/api/passages/{address}?after=2").json()
    assert passage["markdown"].startswith("Recurrence is gone.")
    assert len(passage["after"]) == 2
    hits = client.get("/api/passages?query=recurrence&paper_ids=123&limit=1").json()["passages"]
    assert [hit["address"] for hit in hits] == [address]


def test_an_outline_and_several_papers_over_rest(client: Client) -> None:
    assert client.get("/api/papers/123/outline").json()["sections"][0]["heading"] == "Attention Is All You Need"
    found = client.get("/api/papers-by-id?paper_ids=456&paper_ids=999").json()
    assert ([paper["paper_id"] for paper in found["papers"]], found["not_found"][0]["paper_id"]) == (["456"], "999")


def test_the_document_declares_its_errors(client: Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert set(paths["/api/papers/{paper_id}"]["get"]["responses"]) == {"200", "404", "422", "503"}


def test_the_page_for_people_lists_every_route_and_loads_nothing_from_elsewhere(client: Client) -> None:
    page = client.get("/api/docs").content.decode()
    for path, methods in client.get("/api/openapi.json").json()["paths"].items():
        assert all(f"{method.upper()} {path}" in page for method in methods)
    assert "cdn" not in page


@pytest.mark.parametrize("route", ["papers", "papers-by-facet"])
def test_a_filter_given_twice_finds_papers_with_either_value(client: Client, route: str) -> None:
    def found(query: str) -> set[str]:
        answer = client.get(f"/api/{route}?{query}").json()
        return {paper["paper_id"] for paper in answer["papers"]}

    assert found("venue=neurips&venue=naacl") == {"123", "789"}
    assert found("venue=neurips&venue=naacl&keyword=pre-training") == {"789"}
    assert found("year_from=2018&year_to=1990") == {"123", "456"}
