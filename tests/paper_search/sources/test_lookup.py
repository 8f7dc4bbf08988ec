"""Papers looked up by identifiers, against local servers that answer in the sources' shapes."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from paper_search.config import AppConfig, SearchSourceConfig
from paper_search.sources.lookup import LookedUp, look_up_all
from papercore.bibliography.identifiers import Identifier
from tests.paper_search.http_server import Answer, Service, serving
from tests.paper_search.sources.answers import CROSSREF, GOOD, OPENALEX

CROSSREF_WORK = {
    "status": "ok",
    "message": CROSSREF["message"]["items"][0]  # type: ignore[index]  # a sample of JSON
    | {"volume": "521", "issue": "7553", "page": "436-444", "publisher": "Springer", "type": "journal-article"},
}
OPENALEX_WORK = OPENALEX["results"][0]  # type: ignore[index]  # a sample of JSON
NOT_FOUND = Answer("Resource not found.", 404)


@contextmanager
def sources(**answers: Answer) -> Iterator[tuple[AppConfig, dict[str, Service]]]:
    """A server for each source; one without an answer knows nothing."""
    names = ("crossref", "openalex", "arxiv", "europe_pmc")
    with ExitStack() as stack:
        services = {name: stack.enter_context(serving(answers.get(name, NOT_FOUND))) for name in names}
        configured = {
            name: SearchSourceConfig(name=name, rate_limit=1000, base_url=service.address)
            for name, service in services.items()
        }
        yield AppConfig(sources=configured, contact="me@example.org", timeout=5), services


def look_up(identifier: Identifier, **answers: Answer) -> LookedUp:
    with sources(**answers) as (config, _):
        return look_up_all([identifier], config)[0]


def test_a_doi_is_asked_of_crossref_with_its_imprint() -> None:
    with sources(crossref=Answer(CROSSREF_WORK)) as (config, services):
        found = look_up_all([Identifier("doi", "10.1038/nature14539")], config)[0]
    assert found.paper
    assert (found.paper.title, found.paper.year, found.paper.venue) == ("Deep learning", 2015, "Nature")
    assert found.paper.facts.page == "436-444"
    assert services["crossref"].asked[0].path == "/works/10.1038%2Fnature14539"
    assert services["openalex"].asked == []


def test_a_doi_that_crossref_does_not_have_is_asked_of_openalex() -> None:
    found = look_up(Identifier("doi", "10.7717/peerj.4375"), openalex=Answer(OPENALEX_WORK))
    assert found.paper
    assert found.paper.title.startswith("The state of OA")


def test_arxiv_numbers_are_asked_for_in_one_request() -> None:
    identifiers = [Identifier("arxiv", "1706.03762"), Identifier("arxiv", "2101.00001")]
    with sources(arxiv=GOOD["arxiv"]) as (config, services):
        first, second = look_up_all(identifiers, config)
    assert first.paper
    assert first.paper.title == "Attention Is All You Need"
    assert second.outcome == "unknown"
    assert [asked.params["id_list"] for asked in services["arxiv"].asked] == ["1706.03762,2101.00001"]


@pytest.mark.parametrize(
    ("identifier", "query"),
    [
        (Identifier("pmid", "31452104"), "EXT_ID:31452104 AND SRC:MED"),
        (Identifier("pmcid", "pmc3531190"), "PMCID:pmc3531190"),
    ],
)
def test_numbers_of_pubmed_are_asked_of_europe_pmc(identifier: Identifier, query: str) -> None:
    with sources(europe_pmc=GOOD["europe_pmc"]) as (config, services):
        found = look_up_all([identifier], config)[0]
    assert found.outcome == "found"
    assert services["europe_pmc"].asked[0].params["query"] == query


def test_what_nobody_knows_is_said_to_be_unknown() -> None:
    found = look_up(Identifier("doi", "10.1000/typo"))
    assert (found.outcome, found.paper) == ("unknown", None)
    assert found.note == "Crossref and OpenAlex have no paper by this name"


def test_without_a_network_each_source_is_tried_for_one_identifier_alone() -> None:
    refused = Answer("no", 403)
    identifiers = [Identifier("doi", f"10.1000/{n}") for n in range(5)]
    with sources(crossref=refused, openalex=refused) as (config, services):
        found = look_up_all(identifiers, config)
    assert {item.outcome for item in found} == {"unreachable"}
    assert found[4].note == "Crossref access refused (403); OpenAlex access refused (403)"
    assert [len(services[name].asked) for name in ("crossref", "openalex")] == [1, 1]


@pytest.mark.parametrize("body", ["", "[]", "{", '{"message": 3}', '{"message": {"title": "x"}}'])
def test_odd_answers_are_no_papers(body: str) -> None:
    assert look_up(Identifier("doi", "10.1000/1"), crossref=Answer(body)).paper is None
