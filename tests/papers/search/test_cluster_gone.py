"""The site with a search cluster that does not answer: the snapshot's tables answer, and the site says so."""

import socket
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from papercore.retrieval import ClusterAddress
from papers.health import index_part
from papers.search import index
from papers.search.tools import search_papers

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


def test_health_says_why_and_what_happens_next(client: Client) -> None:
    assert index.index_state().status == "unreachable"
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
    assert "meaning" not in page.content.decode()


def test_a_build_says_what_happened() -> None:
    with pytest.raises(CommandError, match="search cluster could not answer"):
        call_command("build_index", stdout=StringIO(), stderr=StringIO())
