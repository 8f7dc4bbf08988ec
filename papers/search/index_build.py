"""Builds the search index beside a snapshot."""

from contextlib import closing
from pathlib import Path

from django.conf import settings

from papercore import limits
from papercore.retrieval import BuildReport, build_index
from papercore.snapshot_file import BadSnapshot, SnapshotFacts, check, open_read_only
from papercore.snapshot_layout import index_beside
from papers.progress import TaskProgress
from papers.search import index_documents
from papers.search.index_state import load_model
from papers.texts.asset_store import AssetStore


def build(database: Path, store: AssetStore, progress: TaskProgress) -> BuildReport:
    """Index every paper of a snapshot; readers keep the old index until the new one is complete."""
    papers = index_documents.documents(database, store)
    return build_index(
        index_beside(database),
        progress.track("Indexing", papers, total=index_documents.count(database)),
        facets=index_documents.FACETS,
        build_id=facts_of(database).build_id,
        model=load_model(str(settings.SEARCH_MODEL)),
    )


def facts_of(database: Path) -> SnapshotFacts:
    """What a snapshot file has; BadSnapshot when it cannot be served."""
    if not database.is_file():
        raise BadSnapshot("The snapshot file is missing: build one, or set PAPERSITE_SNAPSHOT.")
    with closing(open_read_only(database)) as connection:
        return check(database, connection, limits.SNAPSHOT_CHECK_SECONDS)
