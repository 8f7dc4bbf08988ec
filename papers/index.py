"""The search index beside the snapshot: built from it, opened for it, and told apart from one that does not fit."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from django.conf import settings

from paper_search.retrieval import BuildReport, Index, IndexFolder, SentenceModel, build_index
from papers import documents, snapshot
from papers.assets import AssetStore
from papers.build.progress import Progress
from papers.snapshot_file import BadSnapshot, Facts, check, open_read_only

FOLDER = "index"


@dataclass(frozen=True)
class IndexState:
    """How a snapshot is searched, in a word for programs and a sentence for people."""

    status: Literal["ready", "words_only", "missing"]
    message: str


def folder_of(database: Path) -> Path:
    return database.parent / FOLDER


def current() -> Index | None:
    """The index of the snapshot that this thread reads; None without one, and the snapshot's own tables then serve."""
    return _indexes(folder_of(Path(settings.SNAPSHOT)), str(settings.SEARCH_MODEL)).open(snapshot.facts().build_id)


@cache
def _indexes(folder: Path, model: str) -> IndexFolder:
    return IndexFolder(folder, _model(model))


def _model(folder: str) -> SentenceModel | None:
    return SentenceModel.load(Path(folder)) if folder else None


def state(database: Path, build_id: str) -> IndexState:
    """What searches a snapshot: its index, its words alone, or its own full-text table."""
    index = _indexes(folder_of(database), str(settings.SEARCH_MODEL)).open(build_id)
    if index is None:
        return IndexState("missing", "no index for this snapshot: run 'manage.py build_index'")
    if not index.has_meaning:
        return IndexState("words_only", "made with another model, words only: run 'manage.py build_index'")
    model = index.manifest.sentence_model or index.manifest.word_model
    return IndexState("ready", f"{index.manifest.documents:,} papers, words and meaning ({model})")


def index_state() -> IndexState:
    """The state of the index of the snapshot that is served."""
    return state(Path(settings.SNAPSHOT), snapshot.facts().build_id)


def build(database: Path, store: AssetStore, progress: Progress) -> BuildReport:
    """Index every paper of a snapshot; readers go on with what they have until it is done."""
    papers = documents.documents(database, store)
    return build_index(
        folder_of(database),
        progress.track("Indexing", papers, total=documents.count(database)),
        facets=documents.FACETS,
        build_id=facts_of(database).build_id,
        model=_model(str(settings.SEARCH_MODEL)),
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
