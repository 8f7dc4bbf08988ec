"""Faults of a real cluster under load: answers are right or not given, and then the snapshot's tables answer."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from msgspec.structs import replace
from opensearchpy import OpenSearch
from pytest_django import Settings

from papercore.retrieval import (
    ClusterAddress,
    EngineFailed,
    IndexFolder,
    build_index,
    build_index_on_cluster,
    open_cluster,
)
from papercore.retrieval.cluster_indexes import ClusterIndexes
from papercore.retrieval.engines.opensearch.cluster import Cluster
from papercore.retrieval.engines.opensearch.registry import Registry
from papers.search.tools import search_papers
from papers.snapshot import served
from papersite.command.commands import call_command
from tests.cluster.conftest import PATIENCE_SECONDS
from tests.cluster.load import Load, collection
from tests.cluster.nodes import Nodes
from tests.papercore.retrieval.collection import FACETS
from tests.server import wait_for

pytestmark = [pytest.mark.long, pytest.mark.django_db(databases=["default", "snapshot"])]
# A cluster takes a while to notice a node that hangs, and to copy what it has lost.
NOTICED_SECONDS = 120
# Longer than readers wait, because the nodes share a machine with the readers and all other tests.
REQUEST_SECONDS = 8.0


@pytest.fixture
def whole(nodes: Nodes) -> Iterator[Nodes]:
    """All nodes are up, before and after."""
    yield nodes
    for node in nodes.nodes:
        if node.process and node.process.poll() is None:
            node.send(signal.SIGCONT)
    gone = [node for node in nodes.nodes if node.process is None or node.process.poll() is not None]
    if gone:
        nodes.start(*gone)
    nodes.wait(len(nodes.nodes))


def build(address: ClusterAddress, mark: str, folder: Path) -> Load:
    """The same papers on the cluster and in a folder, and readers of both."""
    build_index_on_cluster(address, collection(mark), facets=FACETS, build_id=mark)
    build_index(folder, collection(mark), facets=FACETS, build_id=mark)
    expected = IndexFolder(folder).open(mark)
    assert expected is not None
    return Load(ClusterIndexes(Cluster(address, REQUEST_SECONDS)), mark, expected)


@pytest.fixture
def load(whole: Nodes, address: ClusterAddress, tmp_path: Path) -> Load:
    made = build(replace(address, shards=3), "one", tmp_path / "one")
    whole.wait(len(whole.nodes))
    return made


def answered(load: Load, count: int = 50) -> None:
    """Wait until so many more questions were answered by the cluster, and none wrongly."""
    since = time.monotonic()
    wait_for(lambda: load.count("right", since) >= count, "the cluster answers", NOTICED_SECONDS)
    assert load.count("wrong") == 0


@contextmanager
def site_on(settings: Settings, address: ClusterAddress) -> Iterator[None]:
    settings.SEARCH_CLUSTER = address
    yield
    settings.SEARCH_CLUSTER = None


def test_one_of_three_nodes_is_killed(whole: Nodes, load: Load) -> None:
    with load.running():
        answered(load)
        whole.nodes[0].kill()
        killed = time.monotonic()
        answered(load, 200)
        assert load.count("failed", killed + 1) == 0
        whole.start(whole.nodes[0])
        answered(load)
    assert load.kinds(killed + 1) == {"right"}


def test_two_of_three_nodes_are_killed(
    whole: Nodes, address: ClusterAddress, settings: Settings, library: Path
) -> None:
    # So that no single node has a copy of every shard.
    with site_on(settings, replace(address, shards=3)):
        call_command("build_index", verbosity=0)
        # A question that is not asked again: its answer is kept, and needs no cluster.
        assert search_papers("memory").notice == ""
        for node in whole.nodes[:2]:
            node.kill()
        for question in ("attention", "transformer", "recurrent networks", "translation"):
            found = search_papers(question)
            assert found.notice == served.FAILURE_NOTICE
        assert served.index_state().status == "unreachable"
        whole.start(*whole.nodes[:2])
        wait_for(lambda: search_papers("attention").notice == "", "the cluster is back", NOTICED_SECONDS)
        wait_for(lambda: served.index_state().status == "ready", "it is told", NOTICED_SECONDS)


def test_a_node_that_hangs_is_left_and_taken_back(whole: Nodes, load: Load) -> None:
    with load.running():
        answered(load)
        whole.nodes[1].send(signal.SIGSTOP)
        answered(load, 200)
        whole.nodes[1].send(signal.SIGCONT)
        answered(load)
        whole.wait(len(whole.nodes))
        back = time.monotonic()
        answered(load)
    assert load.kinds(back) == {"right"}


def test_a_full_disk_stops_builds_and_not_searches(whole: Nodes, load: Load, address: ClusterAddress) -> None:
    own = replace(address, shards=3)
    client = Cluster(own, PATIENCE_SECONDS).client
    marks = {f"cluster.routing.allocation.disk.watermark.{name}": "900tb" for name in ("low", "high", "flood_stage")}
    marks |= {"cluster.routing.allocation.disk.threshold_enabled": "true", "cluster.info.update.interval": "10s"}
    client.cluster.put_settings(body={"transient": marks})
    try:
        wait_for(lambda: _blocks(client), "the disks are taken for full", NOTICED_SECONDS)
        with pytest.raises(EngineFailed):
            build_index_on_cluster(own, collection("two"), facets=FACETS, build_id="two")
        with load.running():
            answered(load)
        assert load.kinds() == {"right"}
    finally:
        room = {name: "1mb" for name in marks if "watermark" in name}
        client.cluster.put_settings(body={"transient": room})
        wait_for(lambda: not _blocks(client), "the disks have room again", NOTICED_SECONDS)
        client.cluster.put_settings(body={"transient": dict.fromkeys(marks)})
    build_index_on_cluster(own, collection("two"), facets=FACETS, build_id="two")
    assert open_cluster(own).open("two") is not None


def _blocks(client: OpenSearch) -> dict[str, object]:
    """What the cluster refuses to do."""
    return dict(client.cluster.state(metric="blocks")["blocks"])


def test_the_alias_moves_every_second_and_no_answer_is_mixed(
    whole: Nodes, load: Load, address: ClusterAddress, tmp_path: Path
) -> None:
    own = replace(address, shards=3)
    other = build(own, "two", tmp_path / "two")
    registry = Registry(Cluster(own, PATIENCE_SECONDS))
    builds = [registry.find(mark) for mark in ("one", "two")]
    with load.running(), other.running():
        for number in range(30):
            found = builds[number % 2]
            assert found is not None
            registry.publish(replace(found, published=time.time()))
            time.sleep(1)  # the interval that is asked for
    assert load.kinds() == other.kinds() == {"right"}


def test_a_foreign_index_under_our_name_is_left_alone(whole: Nodes, hosts: tuple[str, ...]) -> None:
    own = ClusterAddress(hosts, prefix=f"test-{uuid4().hex[:8]}")
    cluster = Cluster(own, PATIENCE_SECONDS)
    mappings = {"dynamic": "strict", "properties": {"build": {"type": "integer"}}}
    cluster.create_index(f"{own.prefix}-builds", {"mappings": mappings})
    with pytest.raises(EngineFailed, match="refused"):
        build_index_on_cluster(own, collection("one", 5), facets=FACETS, build_id="one")
    assert open_cluster(own).open("one") is None
    cluster.client.indices.delete(index=f"{own.prefix}-builds")
