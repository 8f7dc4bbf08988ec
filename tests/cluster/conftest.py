"""A cluster of three nodes for all tests here, and the small collection indexed on it."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from papercore.retrieval import ClusterAddress, Document, Index, build_index_on_cluster
from papercore.retrieval.cluster_indexes import ClusterIndexes
from papercore.retrieval.engines.opensearch.cluster import BUILD_SECONDS, Cluster, connect
from tests.cluster.nodes import Nodes, Unavailable, three_nodes
from tests.papercore.retrieval import test_facets, test_known_items, test_passages, test_slips
from tests.papercore.retrieval.collection import FACETS, PAPERS

# `1` starts three nodes; addresses with commas name a cluster that runs already.
ASKED_FOR = "PAPERSITE_TEST_CLUSTER"
PATIENCE_SECONDS = 60.0


@pytest.fixture(scope="session")
def nodes() -> Iterator[Nodes]:
    """Three nodes of our own, which a test may kill."""
    asked = os.environ.get(ASKED_FOR, "")
    if asked != "1":
        pytest.skip(f"'make test-cluster' runs this: it needs three nodes of its own ({ASKED_FOR}=1)")
    with tempfile.TemporaryDirectory(prefix="papersite-cluster-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        try:
            running = three_nodes(Path(folder))
        except Unavailable as reason:
            pytest.skip(str(reason))
        yield running
        running.stop()


@pytest.fixture(scope="session")
def hosts(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The nodes of a cluster that is only asked."""
    asked = os.environ.get(ASKED_FOR, "")
    if "://" in asked:
        return tuple(asked.split(","))
    running: Nodes = request.getfixturevalue("nodes")
    return running.urls


@pytest.fixture
def address(hosts: tuple[str, ...]) -> Iterator[ClusterAddress]:
    """The cluster, under a prefix of the test's own."""
    own = ClusterAddress(hosts, prefix=f"test-{uuid4().hex[:8]}", shards=1)
    yield own
    remove_indexes(own)


@pytest.fixture(scope="package")
def collection(hosts: tuple[str, ...]) -> Iterator[ClusterAddress]:
    """Where the small collection is that the embedded engine is tested with; its build id is `one`."""
    with built(hosts, PAPERS, FACETS) as address:
        yield address


@pytest.fixture(scope="package")
def index(collection: ClusterAddress) -> Index:
    return opened(collection)


@pytest.fixture(scope="package")
def gates(hosts: tuple[str, ...]) -> Iterator[ClusterAddress]:
    """Where the documents with passages are."""
    with built(hosts, test_passages.documents(), ("author",)) as address:
        yield address


@pytest.fixture(scope="package")
def passages(gates: ClusterAddress) -> Index:
    return opened(gates)


@pytest.fixture(scope="package")
def many_authors(hosts: tuple[str, ...]) -> Iterator[Index]:
    with built(hosts, test_facets.papers_of_many_authors(), FACETS) as address:
        yield opened(address)


@pytest.fixture(scope="package")
def slips(hosts: tuple[str, ...]) -> Iterator[Index]:
    with built(hosts, test_slips.documents(), FACETS) as address:
        yield opened(address)


@pytest.fixture(scope="package")
def known(hosts: tuple[str, ...]) -> Iterator[Index]:
    with built(hosts, test_known_items.documents(), FACETS) as address:
        yield opened(address)


@contextmanager
def built(hosts: tuple[str, ...], documents: Iterable[Document], facets: Sequence[str]) -> Iterator[ClusterAddress]:
    """These documents on the cluster while tests ask for them."""
    own = ClusterAddress(hosts, prefix=f"same-{uuid4().hex[:8]}", shards=3)
    build_index_on_cluster(own, documents, facets=facets, build_id="one")
    yield own
    remove_indexes(own)


def opened(address: ClusterAddress) -> Index:
    # The machine may be busy: a slow answer is not what these tests are about.
    found = ClusterIndexes(Cluster(address, PATIENCE_SECONDS)).open("one")
    assert found is not None
    return found


def remove_indexes(address: ClusterAddress) -> None:
    client = connect(address, BUILD_SECONDS)
    for name in client.indices.get(index=f"{address.prefix}-*"):
        client.indices.delete(index=name)
