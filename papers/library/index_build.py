"""Builds, updates and fills the search index of a snapshot, beside it or on a cluster."""

from collections.abc import Iterable
from contextlib import closing
from functools import partial
from pathlib import Path

import django
from django.conf import settings

from ingest import NewVersion
from ingest.index_state import load_model
from ingest.progress import TaskProgress
from ingest.workers import Workers
from papercore import limits
from papercore.retrieval import (
    BuildReport,
    build_index,
    build_index_on_cluster,
    fill_sentence_vectors,
    missing_sentence_vectors,
    update_index,
)
from papercore.snapshot.assets import AssetMissing, AssetStore, AssetStream, FolderStore
from papercore.snapshot.file import BadSnapshot, SnapshotFacts, check, open_read_only
from papercore.snapshot.layout import DATABASE, index_beside
from papers.library import index_documents


def build(database: Path, store: AssetStore, progress: TaskProgress, folder: Path | None = None) -> BuildReport:
    """Index every paper of a snapshot, in its folder or another; readers keep the old index until the new one is
    complete."""
    build_id, model = facts_of(database).build_id, load_model(str(settings.SEARCH_MODEL))
    facets = index_documents.FACETS
    with closing(Workers(django.setup)) as workers:
        papers = index_documents.documents(database, store, workers)
        tracked = progress.track("Indexing", papers, total=index_documents.count(database))
        if settings.SEARCH_CLUSTER:
            return build_index_on_cluster(
                settings.SEARCH_CLUSTER,
                tracked,
                facets=facets,
                build_id=build_id,
                model=model,
                watch=lambda sent, total: progress.track("Sending", sent, total),
            )
        return build_index(
            folder or index_beside(database),
            tracked,
            facets=facets,
            build_id=build_id,
            model=model,
        )


def facts_of(database: Path) -> SnapshotFacts:
    """What a snapshot file has; BadSnapshot when it cannot be served."""
    if not database.is_file():
        raise BadSnapshot("The snapshot file is missing: build one, or set PAPERSITE_SNAPSHOT.")
    with closing(open_read_only(database)) as connection:
        return check(database, connection, limits.SNAPSHOT_CHECK_SECONDS)


def update(version: NewVersion, progress: TaskProgress) -> None:
    """Index the papers that a new version changes; where there is no index that can be updated, build one."""
    store = _LayeredStore(version.assets)
    path = index_beside(version.library / DATABASE)
    is_updated = not settings.SEARCH_CLUSTER and update_index(
        path,
        build_before=version.build_before,
        build_id=version.build_after,
        changed=version.paper_ids,
        documents_of=partial(index_documents.documents_of, version.database, store),
        facets=index_documents.FACETS,
        model=load_model(str(settings.SEARCH_MODEL)),
    )
    if not is_updated:
        # On a cluster every build is a whole one.
        if not settings.SEARCH_CLUSTER:
            progress.say("There is no index that can be updated: it is built anew.")
        build(version.database, store, progress, path)


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


def fill(database: Path, progress: TaskProgress) -> int:
    """Add the sentence vectors that the index lacks, while it is served; return how many. It may take hours."""
    model, path = load_model(str(settings.SEARCH_MODEL)), index_beside(database)
    if model is None or settings.SEARCH_CLUSTER:
        return 0
    missing = missing_sentence_vectors(path, model)
    if not missing:
        return 0
    return sum(1 for _ in progress.track("Sentence vectors", fill_sentence_vectors(path, model), missing))
