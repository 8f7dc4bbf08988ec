"""Prepares the search index of a library's new version: the papers that changed are indexed, the others stay."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from django.conf import settings

from ingest import NewVersion
from ingest.index_state import load_model
from ingest.progress import TaskProgress
from papercore.retrieval import Document, update_index
from papercore.snapshot.asset_stream import AssetStream
from papercore.snapshot.assets import AssetMissing, FolderStore
from papercore.snapshot.layout import DATABASE, index_beside
from papers.library import index_build, index_documents


def update(version: NewVersion, progress: TaskProgress) -> None:
    """Update the index of the version before; where there is none that can be updated, build one."""
    store = _LayeredStore(version.assets)

    def documents_of(paper_ids: Sequence[str]) -> Iterable[Document]:
        return index_documents.documents_of(version.database, store, paper_ids)

    path = index_beside(version.library / DATABASE)
    is_updated = not settings.SEARCH_CLUSTER and update_index(
        path,
        build_before=version.build_before,
        build_id=version.build_after,
        changed=version.paper_ids,
        documents_of=documents_of,
        facets=index_documents.FACETS,
        model=load_model(str(settings.SEARCH_MODEL)),
    )
    if not is_updated:
        # On a cluster, a build finds out by itself what has changed.
        if not settings.SEARCH_CLUSTER:
            progress.say("There is no index that can be updated: it is built anew.")
        index_build.build(version.database, store, progress, path)


class _LayeredStore:
    """Several folders as one: an asset is in the first that has it."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._stores = [FolderStore(str(folder)) for folder in folders]

    def read(self, key: str) -> bytes:
        for store in self._stores[:-1]:
            try:
                return store.read(key)
            except AssetMissing:
                continue
        return self._stores[-1].read(key)

    def open(self, key: str, range_header: str = "") -> AssetStream:
        return self._stores[-1].open(key, range_header)
