"""The search index of the snapshot being served, and what it keeps of each paper."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from msgspec import Struct, json

from ingest.index_state import IndexState, cluster_indexes, index_folder, state_of
from papercore.retrieval import EngineFailed, Index, SearchIndexes
from papers.snapshot import served

R = TypeVar("R")
FAILURE_NOTICE = (
    "The search index does not answer at the moment. The library's own tables answer instead: by words, not by meaning."
)


class IndexedPaper(Struct, frozen=True):
    """What the index keeps of a paper for display, in the payload of its document."""

    title: str
    year: int | None
    venue: str
    authors: list[str]

    def payload(self) -> bytes:
        return json.encode(self)


def indexed_paper(payload: bytes) -> IndexedPaper:
    return json.decode(payload, type=IndexedPaper)


def current() -> Index | None:
    """The index of the snapshot that this thread reads; without one, the snapshot's own tables are searched."""
    return _indexes().open(served.facts().build_id)


def ask(question: Callable[[Index], R], otherwise: Callable[[], R]) -> R:
    """The index's answer; where there is none, or it fails, the other one."""
    index = current()
    if index:
        with suppress(EngineFailed), _indexes().failures_of(index):
            return question(index)
    return otherwise()


def failure_notice() -> str:
    """What readers are told when the tables have answered; empty if that is how this library is always searched."""
    return FAILURE_NOTICE if current() or is_failing() else ""


def is_failing() -> bool:
    """Whether the snapshot's tables answer for an index that does not."""
    return _indexes().failing(served.facts().build_id)


def searches_by_meaning() -> bool:
    """Whether a question may be put in other words than the papers have."""
    built = current()
    return built is not None and built.has_meaning


def reading_progress() -> tuple[int, int] | None:
    """How many papers the sentence model has read, of how many; None if it has read all, or there is none."""
    built = current()
    if built is None or built.generation.model is None or built.manifest.with_sentences == built.manifest.documents:
        return None
    return built.manifest.with_sentences, built.manifest.documents


def index_state() -> IndexState:
    return state_of(_indexes(), served.facts().build_id)


def indexes_of(database: Path) -> SearchIndexes:
    """Where the index of a snapshot is looked for, and built."""
    model = str(settings.SEARCH_MODEL)
    if settings.SEARCH_CLUSTER:
        return cluster_indexes(settings.SEARCH_CLUSTER, model)
    return index_folder(str(database), model)


def _indexes() -> SearchIndexes:
    return indexes_of(Path(settings.SNAPSHOT))
