"""Papers that citations lead to: from a snapshot's own texts, from OpenAlex and from Semantic Scholar."""

import asyncio
from pathlib import Path

import pytest

from paper_search.config import AppConfig, SearchSourceConfig
from paper_search.models import Author, Paper
from paper_search.sources.interface import SourceError
from paper_search.sources.links import Linked
from paper_search.sources.snapshot import Snapshot
from paper_search.workflow.assembly import make_source
from tests.paper_search.http_server import Answer, Service, serving
from tests.papers.references.test_tools import PAPERS
from tests.snapshot import build

WEIGHT = Paper(id="weight", title="On the weight of small birds", authors=[Author(name="Ada Ames")], year=1998)
NESTS = Paper(id="elsewhere", title="Nests", authors=[Author(name="Bill Bo")], year=2001, doi="10.5555/nests")


async def no_sleep(seconds: float) -> None:
    pass


def linked(name: str, service: Service, *papers: Paper) -> list[Linked]:
    config = SearchSourceConfig(name=name, rate_limit=1000, base_url=service.address)
    source = make_source(config, AppConfig(timeout=5))
    source.client.sleep = no_sleep  # type: ignore[attr-defined]  # the network sources have one
    return asyncio.run(source.linked(papers))


def by_id(found: list[Linked]) -> dict[str, tuple[list[str], list[str]]]:
    return {item.paper.id: (sorted(item.cites), sorted(item.cited_by)) for item in found}


def test_a_snapshot_knows_what_its_texts_cite_and_what_cites_a_paper(tmp_path: Path) -> None:
    path = build(tmp_path, PAPERS)
    survey = Paper(id="survey", title="A Survey of Birds", authors=[Author(name="Sue Stone")], year=2020)
    found = asyncio.run(Snapshot(path).linked([survey, WEIGHT]))
    # It cites `weight` too, which was followed itself: the workflow leaves that out.
    assert by_id(found) == {
        "weight": ([], ["survey"]),
        "nests": (["weight"], ["survey"]),
        "survey": (["weight"], []),
    }
    assert all(item.paper.facts.match is None for item in found)


def test_a_paper_of_another_source_is_known_to_the_snapshot_by_its_doi(tmp_path: Path) -> None:
    found = asyncio.run(Snapshot(build(tmp_path, PAPERS)).linked([NESTS]))
    assert by_id(found) == {"weight": ([], ["elsewhere"]), "survey": (["elsewhere"], [])}


def work(number: int, references: tuple[int, ...] = (), doi: str | None = None) -> dict[str, object]:
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": doi,
        "display_name": f"Work {number}",
        "referenced_works": [f"https://openalex.org/W{reference}" for reference in references],
    }


def page(*works: dict[str, object]) -> Answer:
    return Answer({"meta": {"next_cursor": None}, "results": list(works)})


def test_openalex_is_asked_for_references_and_citing_papers() -> None:
    marked = [Paper(id="openalex:W1", title="One"), NESTS]
    with serving(
        page(work(1, (10, 11))),
        page(work(2, (10,), "https://doi.org/10.5555/NESTS")),
        page(work(20, (1, 2, 99))),
        page(work(10), work(11)),
    ) as service:
        found = linked("openalex", service, *marked)
    assert [asked.params.get("filter") for asked in service.asked] == [
        "openalex:W1",
        "doi:10.5555/nests",
        "cites:W1|W2",
        "openalex:W10|W11",
    ]
    assert by_id(found) == {
        "openalex:W20": (["elsewhere", "openalex:W1"], []),
        "openalex:W10": ([], ["elsewhere", "openalex:W1"]),
        "openalex:W11": ([], ["openalex:W1"]),
    }


def test_openalex_without_any_of_the_papers_is_asked_no_more() -> None:
    with serving(page()) as service:
        assert linked("openalex", service, NESTS) == []
    assert len(service.asked) == 1


def test_semantic_scholar_is_asked_in_both_directions_and_may_not_know_a_paper() -> None:
    def one(key: str, number: str) -> Answer:
        return Answer({"data": [{key: {"paperId": number, "title": f"Paper {number}"}}, {key: {"paperId": None}}]})

    unknown = Paper(id="other", title="Other", doi="10.48550/arXiv.1706.03762")
    unnamed = Paper(id="unnamed", title="Unnamed")
    with serving(one("citedPaper", "a"), one("citingPaper", "b"), Answer(status=404)) as service:
        found = linked("semantic_scholar", service, NESTS, unknown, unnamed)
    assert [asked.path for asked in service.asked] == [
        f"/graph/v1/paper/{name}/{direction}"
        for name in ("DOI:10.5555/nests", "ARXIV:1706.03762")
        for direction in ("references", "citations")
    ]
    assert by_id(found) == {"s2:a": ([], ["elsewhere"]), "s2:b": (["elsewhere"], [])}


@pytest.mark.parametrize("name", ["arxiv", "crossref", "europe_pmc", "serpapi"])
def test_other_sources_know_no_citations(name: str) -> None:
    with serving(Answer({})) as service, pytest.raises(SourceError, match="knows no citations"):
        linked(name, service, NESTS)
    assert service.asked == []
