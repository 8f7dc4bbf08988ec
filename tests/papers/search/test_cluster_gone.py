"""The site with a search cluster that does not answer: the snapshot's tables answer, and the site says so."""

import socket
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError
from django.test import Client
from pytest_django import Settings

from papercore.retrieval import ClusterAddress
from papers.health import index_part
from papers.search.tools import get_similar_papers, search_papers
from papers.snapshot import served
from papersite.command.commands import call_command

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


@pytest.fixture(autouse=True)
def cluster_gone(settings: Settings) -> Iterator[None]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        settings.SEARCH_CLUSTER = ClusterAddress((address,), user="anna", password="s3cret-word")
        yield


def test_the_tables_answer() -> None:
    page = search_papers("attention")
    assert page.total
    assert page.papers[0].score is None


def test_the_answer_says_that_the_index_failed(client: Client) -> None:
    assert search_papers("attention").notice == served.FAILURE_NOTICE
    assert get_similar_papers("123").notice == served.FAILURE_NOTICE
    assert client.get("/api/papers", {"query": "attention"}).json()["notice"] == served.FAILURE_NOTICE


def test_the_page_says_it_and_is_not_kept(client: Client) -> None:
    page = client.get("/papers/", {"q": "attention"})
    assert "does not answer at the moment" in page.content.decode()
    assert "no-store" in page["Cache-Control"]


def test_metrics_count_the_index_as_degraded(client: Client) -> None:
    assert 'papersite_part{part="index"} 0.5' in client.get("/metrics").content.decode()


def test_health_says_why_and_what_happens_next(client: Client) -> None:
    assert served.index_state().status == "unreachable"
    part = index_part()
    assert part.state == "degraded"
    assert "the search cluster" in part.hint
    assert "asked again by itself" in part.hint
    answer = client.get("/readyz").content.decode()
    assert "s3cret-word" not in answer
    assert "anna" not in answer


def test_pages_are_served_and_promise_no_meaning(client: Client) -> None:
    page = client.get("/papers/", {"q": "attention"})
    assert page.status_code == 200
    assert "by meaning" not in page.content.decode().replace("not by meaning", "")


def test_a_build_says_what_happened() -> None:
    with pytest.raises(CommandError, match="search cluster could not answer"):
        call_command("build_index", stdout=StringIO(), stderr=StringIO())
