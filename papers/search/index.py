"""The search index of the snapshot in use."""

from pathlib import Path

from django.conf import settings

from papercore.retrieval import Index
from papers.search.index_state import IndexState, index_folder, state_of
from papers.snapshot import served


def current() -> Index | None:
    """The index of the snapshot that this thread reads; without one, the snapshot's own tables are searched."""
    return index_folder(str(settings.SNAPSHOT), str(settings.SEARCH_MODEL)).open(served.facts().build_id)


def index_state() -> IndexState:
    return state_of(Path(settings.SNAPSHOT), str(settings.SEARCH_MODEL), served.facts().build_id)
