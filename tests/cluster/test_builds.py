"""Builds on a real cluster: published whole, one at a time, the old one kept, what was interrupted removed."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from papercore.retrieval import (
    ClusterAddress,
    Document,
    EngineFailed,
    IndexBusy,
    Request,
    build_index_on_cluster,
    open_cluster,
)
from papercore.retrieval.opensearch_engine.cluster import Cluster
from papercore.retrieval.opensearch_engine.documents import values_index
from papercore.retrieval.opensearch_engine.registry import Registry
from tests.papercore.retrieval.collection import FACETS, PAPERS, ids


def build(address: ClusterAddress, build_id: str, documents: Iterable[Document] = PAPERS) -> None:
    build_index_on_cluster(address, documents, facets=FACETS, build_id=build_id)


def index_names(address: ClusterAddress) -> set[str]:
    return set(Cluster(address).client.indices.get(index=f"{address.prefix}-*"))


def aliased(address: ClusterAddress) -> set[str]:
    return set(Cluster(address).client.indices.get_alias(name=address.prefix))


def test_a_build_is_found_by_its_id_and_the_alias_names_it(address: ClusterAddress) -> None:
    assert open_cluster(address).open("one") is None
    build(address, "one")
    index = open_cluster(address).open("one")
    assert index is not None
    assert index.manifest.documents == len(PAPERS)
    assert [name.split("-")[2] for name in aliased(address)] == ["one"]
    assert open_cluster(address).open("two") is None


def test_two_builds_stay_and_older_ones_are_removed(address: ClusterAddress) -> None:
    for build_id in ("one", "two", "three"):
        build(address, build_id)
    indexes = open_cluster(address)
    assert indexes.open("one") is None
    assert indexes.open("two") is not None
    assert indexes.open("three") is not None
    # For each of two builds the papers and the values, and the list of builds.
    assert len(index_names(address)) == 5


def test_a_build_that_fails_changes_nothing(address: ClusterAddress) -> None:
    build(address, "one")
    before = index_names(address), aliased(address)

    def broken() -> Iterator[Document]:
        yield PAPERS[0]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk"):
        build(address, "two", broken())
    assert (index_names(address), aliased(address)) == before
    build(address, "two")


def test_what_a_killed_build_left_is_removed_by_the_next(address: ClusterAddress) -> None:
    build(address, "one")
    cluster = Cluster(address)
    left, _ = Registry(cluster).new_names("killed")
    foreign = f"{address.prefix}-of-another-program"
    cluster.client.indices.create(index=left, body=values_index(address))
    cluster.client.indices.create(index=foreign)
    build(address, "two")
    assert left not in index_names(address)
    assert foreign in index_names(address)


def test_two_builds_at_once_do_not_mix(address: ClusterAddress) -> None:
    with Registry(Cluster(address)).building(), pytest.raises(IndexBusy):
        build(address, "one")
    build(address, "one")


def test_a_document_that_the_cluster_refuses_ends_the_build(address: ClusterAddress) -> None:
    far = replace(PAPERS[0], year=2**40)
    with pytest.raises(EngineFailed, match="refused a document"):
        build(address, "one", (far,))
    assert open_cluster(address).open("one") is None


def test_an_index_built_anew_is_taken_up(address: ClusterAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papercore.limits.CLUSTER_LOOK_SECONDS", 0.0)
    build(address, "one", PAPERS[:2])
    indexes = open_cluster(address)
    first = indexes.open("one")
    build(address, "one")
    second = indexes.open("one")
    assert first is not None
    assert second is not None
    assert (first.manifest.documents, second.manifest.documents) == (2, len(PAPERS))
    assert ids(second.search(Request("soup")))[0] == "soup"
