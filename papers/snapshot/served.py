"""The snapshot being served, and its search index: where they are, and reading them.

A replaced file is picked up between requests.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import DatabaseError, connections
from msgspec import Struct, json

from ingest.index_state import IndexState, cluster_indexes, index_folder, state_of
from papercore.errors import ToolError
from papercore.retrieval import EngineFailed, Index, SearchIndexes
from papercore.snapshot.file import SnapshotFacts, assets_beside, database_in
from papercore.tool import tool
from papers.snapshot.base import ALIAS, DatabaseWrapper
from papers.snapshot.base import served_file as served_file
from papers.snapshot.errors import QueryTimeout, SnapshotUnavailable

logger = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")
FAILURE_NOTICE = (
    "The search index does not answer at the moment. The library's own tables answer instead: by words, not by meaning."
)


class SnapshotLocation(Struct, frozen=True):
    """Where a snapshot and its assets are; `assets` is a folder or a URL."""

    database: Path
    assets: str

    @property
    def asset_folder(self) -> Path | None:
        return None if "://" in self.assets else Path(self.assets)


def served_location() -> SnapshotLocation:
    return SnapshotLocation(Path(settings.SNAPSHOT), str(settings.ASSETS))


def location_of(path: Path) -> SnapshotLocation:
    """The snapshot in a folder, or a snapshot file with its assets beside it."""
    database = database_in(path)
    return SnapshotLocation(database, str(assets_beside(database)))


def connection() -> DatabaseWrapper:
    wrapper = connections[ALIAS]
    assert isinstance(wrapper, DatabaseWrapper)  # noqa: S101 (tells mypy what the settings say)
    return wrapper


def is_demo() -> bool:
    """The demo is nobody's own: what people add founds a library beside it, which takes its place."""
    return Path(settings.SNAPSHOT) == Path(settings.DEMO_SNAPSHOT)


def renew(**_: object) -> None:
    """Between requests: notice a replaced file, or the first library of one's own, and switch this thread to it."""
    if is_demo() and Path(settings.OWN_SNAPSHOT).exists():
        settings.SNAPSHOT = settings.OWN_SNAPSHOT
        settings.ASSETS = str(assets_beside(settings.OWN_SNAPSHOT))
    served_file().refresh()
    connection().drop_if_replaced()


def facts() -> SnapshotFacts:
    """What the snapshot this thread reads contains."""
    with reading():
        return connection().facts()


def version() -> int:
    """Tells what this thread reads now from what was served before, for caches: a repaired file is another one."""
    with reading():
        return connection().file().serial


@contextmanager
def reading() -> Iterator[None]:
    """Turn database errors into tool errors, and so whatever else comes of a damaged file."""
    try:
        yield
    except ToolError:
        raise
    except DatabaseError as error:
        if "interrupted" in str(error):
            raise QueryTimeout("The query took too long and was stopped: make it narrower.") from error
        served_file().verify_again()
        raise SnapshotUnavailable("The paper library cannot be read right now.") from error
    except Exception as error:
        if damage := damage_error():
            raise damage from error
        raise


def damage_error() -> SnapshotUnavailable | None:
    """What to answer after an unexpected error, if the snapshot is damaged and may have caused it."""
    file = served_file()
    file.verify_again()
    if not file.served_damaged:
        return None
    logger.exception("A request failed, and the snapshot is damaged.")
    return SnapshotUnavailable("This part of the paper library cannot be read: its file is damaged.")


def paper_tool(function: Callable[P, R]) -> Callable[P, R]:
    """A tool that reads the snapshot."""

    @wraps(function)
    def read(*args: P.args, **kwargs: P.kwargs) -> R:
        with reading():
            return function(*args, **kwargs)

    return tool(read)


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


def current_index() -> Index | None:
    """The index of the snapshot that this thread reads; without one, the snapshot's own tables are searched."""
    return _indexes().open(facts().build_id)


def ask_index(question: Callable[[Index], R], otherwise: Callable[[], R]) -> R:
    """The index's answer; where there is none, or it fails, the other one."""
    index = current_index()
    if index:
        with suppress(EngineFailed), _indexes().failures_of(index):
            return question(index)
    return otherwise()


def index_failure_notice() -> str:
    """What readers are told when the tables have answered; empty if that is how this library is always searched."""
    return FAILURE_NOTICE if current_index() or _indexes().failing(facts().build_id) else ""


def searches_by_meaning() -> bool:
    """Whether a question may be put in other words than the papers have."""
    built = current_index()
    return built is not None and built.has_meaning


def reading_progress() -> tuple[int, int] | None:
    """How many papers the sentence model has read, of how many; None if it has read all, or there is none."""
    built = current_index()
    if built is None or built.generation.model is None or built.manifest.with_sentences == built.manifest.documents:
        return None
    return built.manifest.with_sentences, built.manifest.documents


def index_state() -> IndexState:
    return state_of(_indexes(), facts().build_id)


def indexes_of(database: Path) -> SearchIndexes:
    """Where the index of a snapshot is looked for, and built."""
    model = str(settings.SEARCH_MODEL)
    if settings.SEARCH_CLUSTER:
        return cluster_indexes(settings.SEARCH_CLUSTER, model)
    return index_folder(str(database), model)


def _indexes() -> SearchIndexes:
    return indexes_of(Path(settings.SNAPSHOT))
