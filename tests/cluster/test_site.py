"""The site on a real cluster, with no index of its own: built by command, asked through the tools, done without."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from papercore.retrieval import ClusterAddress
from papercore.snapshot_layout import index_beside
from papers import tools
from papers.search import index
from tests.papers.search.test_index import ids

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


@pytest.fixture
def on_cluster(own_library: Path, address: ClusterAddress, settings: Settings) -> Path:
    settings.SEARCH_CLUSTER = address
    call_command("build_index", stdout=StringIO(), stderr=StringIO())
    return own_library


def test_the_tools_answer_from_the_cluster(on_cluster: Path, client: Client) -> None:
    assert index.index_state().status == "ready"
    assert not index_beside(on_cluster).exists()
    page = tools.search_papers("attention", facets=("author", "year"))
    assert page.papers[0].score is not None
    assert page.facets["author"][0].paper_count
    assert ids(tools.search_papers("author:devlin")) == ["789"]
    assert ids(tools.search_papers("transformer -bidirectional")) == ["123"]
    assert client.get("/papers/", {"q": "attention"}).status_code == 200
    assert '"index"' in client.get("/readyz").content.decode()


def test_an_index_that_fits_is_kept(on_cluster: Path) -> None:
    output = StringIO()
    call_command("build_index", "--if-needed", stdout=output, stderr=StringIO())
    assert output.getvalue() == ""


def test_a_snapshot_that_was_not_built_there_is_served_by_its_tables(on_cluster: Path, settings: Settings) -> None:
    settings.SEARCH_CLUSTER = replace(settings.SEARCH_CLUSTER, prefix="empty")
    assert index.index_state().status == "missing"
    assert tools.search_papers("attention").papers[0].score is None
