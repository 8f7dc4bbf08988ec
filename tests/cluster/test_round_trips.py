"""How many requests a search makes: a few, whatever the number of words, hits and filters."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest

from papercore.retrieval import ClusterAddress, Filters, Index, Request
from papercore.retrieval.cluster_indexes import ClusterIndexes
from papercore.retrieval.engines.opensearch.cluster import Cluster
from tests.cluster.conftest import PATIENCE_SECONDS

P = ParamSpec("P")
R = TypeVar("R")
FILTERS = Filters((("author", "Ashish Vaswani"), ("author", "Anna Smith"), ("venue", "NeurIPS")), 1990, 2030)


class CountingCluster(Cluster):
    """Counts the requests that are sent."""

    requests = 0

    def call(self, request: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
        self.requests += 1
        return super().call(request, *args, **options)


@pytest.fixture
def cluster(collection: ClusterAddress) -> CountingCluster:
    return CountingCluster(collection, PATIENCE_SECONDS)


@pytest.fixture
def fresh_index(cluster: CountingCluster) -> Index:
    """An index that has answered nothing yet."""
    found = ClusterIndexes(cluster).open("one")
    assert found is not None
    cluster.requests = 0
    return found


@pytest.mark.parametrize(
    ("request_", "most"),
    [
        (Request("neural networks for machine translation", mode="words"), 13),
        (Request("attention", mode="words", facets=("author", "year")), 11),
        (Request("", sort="year"), 6),
        (Request("neural networks for machine translation"), 23),
        (Request(" ".join(f"attention word{number}" for number in range(100))), 12),
        (Request("attention", facets=("author", "venue", "year")), 18),
        (Request("attention", filters=FILTERS), 22),
        (Request("attention", mode="meaning", filters=FILTERS), 18),
    ],
    ids=[
        "words",
        "words, facets",
        "newest",
        "hybrid",
        "hybrid, long",
        "hybrid, facets",
        "hybrid, filters",
        "meaning, filters",
    ],
)
def test_a_search_makes_a_few_requests(
    cluster: CountingCluster, fresh_index: Index, request_: Request, most: int
) -> None:
    fresh_index.search(request_)
    assert cluster.requests <= most


def test_similar_papers_take_a_few_requests(cluster: CountingCluster, fresh_index: Index) -> None:
    assert fresh_index.similar("attention", 3)
    assert cluster.requests <= 8
