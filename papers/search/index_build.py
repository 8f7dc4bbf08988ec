"""Building the search index beside a snapshot."""

from pathlib import Path

from django.conf import settings

from papercore.retrieval import BuildReport, build_index
from papercore.snapshot_file import BadSnapshot, Facts, check, open_read_only
from papers.build.progress import Progress
from papers.search import index_documents
from papers.search.index import folder_of, model_in
from papers.texts.assets import AssetStore


def build(database: Path, store: AssetStore, progress: Progress) -> BuildReport:
    """Index every paper of a snapshot; readers go on with what they have until it is done."""
    papers = index_documents.documents(database, store)
    return build_index(
        folder_of(database),
        progress.track("Indexing", papers, total=index_documents.count(database)),
        facets=index_documents.FACETS,
        build_id=facts_of(database).build_id,
        model=model_in(str(settings.SEARCH_MODEL)),
    )


def facts_of(database: Path) -> Facts:
    """What a snapshot file has; BadSnapshot when it cannot be served."""
    if not database.is_file():
        raise BadSnapshot("The snapshot file is missing: build one, or set PAPERSITE_SNAPSHOT.")
    connection = open_read_only(database)
    try:
        return check(connection, database.stat().st_size)
    finally:
        connection.close()
