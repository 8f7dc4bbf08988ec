"""The search index of the snapshot in use."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from django.conf import settings

from papercore.retrieval import EngineFailed, Index, IndexFolder
from papers.search.index_state import IndexState, index_folder, state_of
from papers.snapshot import served

R = TypeVar("R")


def current() -> Index | None:
    """The index of the snapshot that this thread reads; without one, the snapshot's own tables are searched."""
    return _folder().open(served.facts().build_id)


def ask(question: Callable[[Index], R], otherwise: Callable[[], R]) -> R:
    """The index's answer; where there is none, or it fails, the other one."""
    index = current()
    if index:
        with suppress(EngineFailed), _folder().failures_of(index):
            return question(index)
    return otherwise()


def searches_by_meaning() -> bool:
    """Whether a question may be put in other words than the papers have."""
    built = current()
    return built is not None and built.has_meaning


def index_state() -> IndexState:
    return state_of(Path(settings.SNAPSHOT), str(settings.SEARCH_MODEL), served.facts().build_id)


def _folder() -> IndexFolder:
    return index_folder(str(settings.SNAPSHOT), str(settings.SEARCH_MODEL))
