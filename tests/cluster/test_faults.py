"""Faults of real nodes: every answer is right or refused in time, and the cluster is used again by itself."""

import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from papercore import limits
from papercore.retrieval import ClusterAddress, EngineFailed, Index, Request, SearchIndexes, open_cluster
from papercore.retrieval import build_index_on_cluster as build
from tests.cluster.nodes import Nodes
from tests.papercore.retrieval.collection import FACETS, PAPERS, ids

QUERIES = ("attention networks", "soup", "author:smith", "深度学习", "road safety of cars")
# A request, its retry on another node, and a little.
LONGEST_ANSWER = limits.CLUSTER_SECONDS * (1 + limits.CLUSTER_RETRIES) + 2


@pytest.fixture
def indexes(nodes: Nodes, address: ClusterAddress) -> Iterator[SearchIndexes]:
    """An index with a copy of each shard on another node; afterwards all nodes run again."""
    # With three shards no node alone has them all.
    spread = replace(address, shards=3)
    build(spread, PAPERS, facets=FACETS, build_id="one")
    nodes.wait(3)
    yield open_cluster(spread)
    for node in nodes.nodes:
        if node.process and node.process.poll() is None:
            node.send(signal.SIGCONT)
    if gone := [node for node in nodes.nodes if node.process is None or node.process.poll() is not None]:
        nodes.start(*gone)
    nodes.wait(3)


def answers(indexes: SearchIndexes) -> list[list[str] | None]:
    """What each query finds; None where the cluster does not answer, as for a reader that the tables answer."""
    return [_answer(indexes, query) for query in QUERIES]


def _answer(indexes: SearchIndexes, query: str) -> list[str] | None:
    index: Index | None = indexes.open("one")
    if index is None:
        return None
    try:
        with indexes.failures_of(index):
            return ids(index.search(Request(query)))
    except EngineFailed:
        return None


def wait_for(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 90
    while not condition():
        assert time.monotonic() < deadline, what


def test_one_node_of_three_killed_costs_no_wrong_answer(nodes: Nodes, indexes: SearchIndexes) -> None:
    expected = answers(indexes)
    assert None not in expected
    nodes.nodes[0].kill()
    seen = [answers(indexes) for _ in range(10)]
    for found in seen:
        assert [a for a, b in zip(found, expected, strict=True) if a not in (b, None)] == []
    wait_for(lambda: answers(indexes) == expected, "the two others answer")


def test_two_nodes_killed_are_noticed_in_time_and_forgotten_when_back(nodes: Nodes, indexes: SearchIndexes) -> None:
    expected = answers(indexes)
    for node in nodes.nodes[:2]:
        node.kill()
    wait_for(lambda: answers(indexes) == [None] * len(QUERIES), "the cluster is left alone")
    assert "the search cluster" in indexes.problem("one")
    started = time.monotonic()
    assert indexes.open("one") is None
    assert time.monotonic() - started < 0.1
    nodes.start(*nodes.nodes[:2])
    wait_for(lambda: answers(indexes) == expected, "the cluster is used again")
    assert indexes.problem("one") == ""


def test_a_node_that_hangs_delays_an_answer_but_falsifies_none(nodes: Nodes, indexes: SearchIndexes) -> None:
    expected = answers(indexes)
    nodes.nodes[2].send(signal.SIGSTOP)
    started = time.monotonic()
    found = _answer(indexes, QUERIES[0])
    # A hybrid search makes several requests, any of which may wait; the circuit breaker ends that.
    assert time.monotonic() - started < limits.CLUSTER_FAILURES * LONGEST_ANSWER
    assert found in (expected[0], None)
    nodes.nodes[2].send(signal.SIGCONT)
    wait_for(lambda: answers(indexes) == expected, "the cluster is used again")
