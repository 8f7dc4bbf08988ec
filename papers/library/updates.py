"""The library that commands and pages change: updates and undo, with its search index."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from django.conf import settings

from ingest import (
    BuildError,
    BuildFolders,
    NewVersion,
    UpdateRecord,
    UpdateReport,
    undo_update,
    update_library,
)
from ingest.entries.report import NoProgress, TaskProgress
from papercore import limits
from papercore.retrieval import EngineFailed, IndexBusy
from papercore.snapshot.layout import ASSETS, DATABASE
from papers.library import index_build
from papers.snapshot.served import served_location


def served_library() -> Path:
    """The folder of the library that is served; BuildError if it is not one that can be updated."""
    location = served_location()
    folder = location.database.parent
    if location.database.name != DATABASE or location.asset_folder != folder / ASSETS:
        raise BuildError(
            f"The library that is served cannot be updated: its database must be named {DATABASE}, with the assets "
            f"in {ASSETS}/ beside it. Name its folder, or build it anew."
        )
    return folder


def update(
    library: Path,
    add: Sequence[Path] = (),
    remove: Sequence[str] = (),
    folders: BuildFolders | None = None,
    progress: TaskProgress | None = None,
    wait_seconds: float = limits.UPDATE_WAIT_SECONDS,
) -> UpdateReport:
    """`update_library` with the search index, and with as many versions kept as the settings say."""
    progress = progress or NoProgress()
    return update_library(
        library,
        add,
        remove,
        folders,
        update_index=partial(_update_index, progress=progress),
        kept_versions=settings.KEPT_VERSIONS,
        wait_seconds=wait_seconds,
        progress=progress,
    )


def undo(library: Path, progress: TaskProgress | None = None) -> UpdateRecord:
    """Go back to the version before the last update."""
    return undo_update(library, update_index=partial(_update_index, progress=progress or NoProgress()))


def fill_index(library: Path, progress: TaskProgress) -> None:
    """Add the sentence vectors of new papers, if no other process is at it."""
    with suppress(IndexBusy):
        index_build.fill(library / DATABASE, progress)


def _update_index(version: NewVersion, progress: TaskProgress) -> None:
    try:
        index_build.update(version, progress)
    except (EngineFailed, IndexBusy) as error:
        raise BuildError(f"Nothing was changed, because the search index could not be updated: {error}") from error
