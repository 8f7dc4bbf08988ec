"""Search on a cluster. What it needs is an extra, so it is imported when a cluster is used."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from papercore.retrieval.basics.request import Document
from papercore.retrieval.engines.generation import BuildReport
from papercore.retrieval.engines.opensearch import ClusterAddress
from papercore.retrieval.index import SearchIndexes
from papercore.retrieval.vectors.sentence_model import SentenceModel


def open_cluster(address: ClusterAddress, model: SentenceModel | None = None) -> SearchIndexes:
    """The indexes on a cluster. Nothing is asked of it yet."""
    from papercore.retrieval.cluster_indexes import ClusterIndexes
    from papercore.retrieval.engines.opensearch.cluster import Cluster

    return ClusterIndexes(Cluster(address), model)


def build_index_on_cluster(
    address: ClusterAddress,
    documents: Iterable[Document],
    *,
    facets: Sequence[str],
    build_id: str,
    model: SentenceModel | None = None,
    progress: Callable[[int], None] = lambda done: None,
    watch: Callable[[Iterator[None], int], Iterator[None]] = lambda sent, total: sent,
) -> BuildReport:
    """Build an index over the documents on a cluster and make it the one of this build id.

    `progress` is called with the number of documents read so far; `watch` wraps what is then sent, one by one.
    """
    from papercore.retrieval.engines.opensearch.build import build_cluster_index
    from papercore.retrieval.engines.opensearch.cluster import BUILD_SECONDS, Cluster

    cluster = Cluster(address, BUILD_SECONDS)
    return build_cluster_index(
        cluster, documents, facets=facets, build_id=build_id, model=model, progress=progress, watch=watch
    )
