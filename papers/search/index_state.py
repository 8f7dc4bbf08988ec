"""The search index beside any snapshot: opened, and described. Knows no web framework."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from papercore.retrieval import IndexFolder, SentenceModel
from papercore.snapshot_layout import index_beside


@dataclass(frozen=True)
class IndexState:
    """How a snapshot is searched, in a word for programs and a sentence for people."""

    status: Literal["ready", "verifying", "words_only", "damaged", "missing"]
    message: str


def load_model(folder: str) -> SentenceModel | None:
    """The sentence model in a folder; None if no folder is named."""
    return SentenceModel.load(Path(folder)) if folder else None


@cache
def index_folder(database: str, model: str) -> IndexFolder:
    """Opened once per process: it notices a new index by itself."""
    return IndexFolder(index_beside(Path(database)), load_model(model))


def state_of(database: Path, model: str, build_id: str) -> IndexState:
    """Whether the snapshot is searched by its index, by the index's words alone, or by its own full-text table."""
    indexes = index_folder(str(database), model)
    problem, index = indexes.problem(build_id), indexes.open(build_id)
    if index is None and problem:
        return IndexState("damaged", f"the index is not used, because {problem}: run 'manage.py build_index'")
    if index is None:
        return IndexState("missing", "no index for this snapshot: run 'manage.py build_index'")
    if not index.has_meaning:
        return IndexState("words_only", "made with another model, words only: run 'manage.py build_index'")
    if not indexes.verified(build_id):
        return IndexState("verifying", "its files are being compared with their checksums")
    name = index.manifest.sentence_model or index.manifest.word_model
    return IndexState("ready", f"{index.manifest.documents:,} papers, words and meaning ({name})")


def verified_state_of(database: Path, model: str, build_id: str) -> IndexState:
    """The state after every file of the index was compared with its checksum."""
    index_folder(str(database), model).verify(build_id)
    return state_of(database, model, build_id)
