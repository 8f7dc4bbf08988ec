"""Builders in processes of their own: one is killed in the middle, and two begin at the same time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from papercore.retrieval import ClusterAddress, build_index_on_cluster
from papercore.retrieval.cluster_indexes import ClusterIndexes
from papercore.retrieval.engines.opensearch.cluster import Cluster
from tests.cluster.conftest import PATIENCE_SECONDS
from tests.cluster.load import collection
from tests.papercore.retrieval.collection import FACETS
from tests.server import ROOT, wait_for

SIZE = 40
# Sends one paper at a time, and after the number given in its arguments waits to be killed.
BUILDER = """
import sys, time
from papercore.retrieval import ClusterAddress, IndexBusy, build_index_on_cluster
from papercore.retrieval.engines.opensearch import cluster
from tests.cluster.load import collection
from tests.papercore.retrieval.collection import FACETS

hosts, prefix, size, most = sys.argv[1:]
cluster.BULK_DOCUMENTS = 1

def watch(sent, total):
    for number, item in enumerate(sent):
        yield item
        if number == int(most):
            print("waiting", flush=True)
            time.sleep(600)

address = ClusterAddress(tuple(hosts.split(",")), prefix=prefix, shards=1)
try:
    report = build_index_on_cluster(
        address, collection("one", int(size)), facets=FACETS, build_id="one", watch=watch
    )
    print("built", report.documents)
except IndexBusy:
    print("busy")
"""


def start(address: ClusterAddress, tmp_path: Path, most: int = 10**6) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", BUILDER, ",".join(address.hosts), address.prefix, str(SIZE), str(most)]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def test_a_killed_build_is_continued_where_it_was(
    address: ClusterAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = start(address, tmp_path, most=15)
    assert builder.stdout is not None
    assert builder.stdout.readline() == "waiting\n"
    builder.kill()
    builder.communicate(timeout=30)
    indexes = ClusterIndexes(Cluster(address, PATIENCE_SECONDS))
    assert indexes.open("one") is None
    monkeypatch.setattr("papercore.retrieval.engines.opensearch.registry.LOCK_SECONDS", 0.0)
    report = build_index_on_cluster(address, collection("one", SIZE), facets=FACETS, build_id="one")
    assert report.documents == SIZE
    assert report.embedded <= SIZE - 15
    found = ClusterIndexes(Cluster(address, PATIENCE_SECONDS)).open("one")
    assert found is not None
    assert found.manifest.documents == SIZE


@pytest.mark.long
def test_of_two_builds_at_once_one_is_told_to_wait(address: ClusterAddress, tmp_path: Path) -> None:
    first = start(address, tmp_path, most=5)
    assert first.stdout is not None
    assert first.stdout.readline() == "waiting\n"
    second = start(address, tmp_path)
    assert second.communicate(timeout=120)[0] == "busy\n"
    first.kill()
    first.communicate(timeout=30)
    wait_for(lambda: first.poll() is not None, "it is gone")
