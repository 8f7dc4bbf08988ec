"""The search index beside the snapshot: opened for it, and told apart from one that does not fit."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from django.conf import settings

from papercore.retrieval import Index, IndexFolder, SentenceModel
from papers.snapshot import served

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
    return _indexes(str(settings.SNAPSHOT), str(settings.SEARCH_MODEL)).open(served.facts().build_id)


@cache
def _indexes(database: str, model: str) -> IndexFolder:
    return IndexFolder(folder_of(Path(database)), model_in(model))


def model_in(folder: str) -> SentenceModel | None:
    """The sentence model in a folder; none without one."""
    return SentenceModel.load(Path(folder)) if folder else None


def state(database: Path, build_id: str) -> IndexState:
    """What searches a snapshot: its index, its words alone, or its own full-text table."""
    index = _indexes(str(database), str(settings.SEARCH_MODEL)).open(build_id)
    if index is None:
        return IndexState("missing", "no index for this snapshot: run 'manage.py build_index'")
    if not index.has_meaning:
        return IndexState("words_only", "made with another model, words only: run 'manage.py build_index'")
    model = index.manifest.sentence_model or index.manifest.word_model
    return IndexState("ready", f"{index.manifest.documents:,} papers, words and meaning ({model})")


def index_state() -> IndexState:
    """The state of the index of the snapshot that is served."""
    return state(Path(settings.SNAPSHOT), served.facts().build_id)
