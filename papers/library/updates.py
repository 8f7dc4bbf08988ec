"""The library that commands and pages change, with its search index."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from django.conf import settings

from ingest import BuildError, BuildFolders, ChangeSettings, NewVersion, UpdateReport, update_library
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


def is_demo_served() -> bool:
    """The demo is nobody's own: what people add founds a library beside it, which is served from the next start on."""
    return Path(settings.SNAPSHOT) == Path(settings.DEMO_SNAPSHOT)


def own_library() -> Path:
    """The library that people change: the one that is served, unless that is the demo."""
    return Path(settings.OWN_SNAPSHOT).parent if is_demo_served() else served_library()


def update(
    library: Path,
    add: Sequence[Path] = (),
    remove: Sequence[str] = (),
    folders: BuildFolders | None = None,
    progress: TaskProgress | None = None,
    by: str = "",
) -> UpdateReport:
    """`update_library` with the search index."""
    return update_library(library, add, remove, folders, settings=change_settings(progress, by))


def follow(
    library: Path, add: Sequence[Path], gone: Sequence[Path], *, progress: TaskProgress, wait_seconds: float
) -> UpdateReport:
    """What watched files say now, in place of what they said before."""
    change = change_settings(progress, "watcher", wait_seconds)
    return update_library(library, add, gone=gone, follow=True, settings=change)


def change_settings(
    progress: TaskProgress | None = None, by: str = "", wait_seconds: float = limits.UPDATE_WAIT_SECONDS
) -> ChangeSettings:
    """How a library is changed: with its index."""
    progress = progress or NoProgress()
    update_index = partial(_update_index, progress=progress)
    return ChangeSettings(by=by, update_index=update_index, wait_seconds=wait_seconds, progress=progress)


def fill_index(library: Path, progress: TaskProgress) -> None:
    """Add the sentence vectors of new papers, if no other process is at it."""
    with suppress(IndexBusy):
        index_build.fill(library / DATABASE, progress)


def _update_index(version: NewVersion, progress: TaskProgress) -> None:
    try:
        index_build.update(version, progress)
    except (EngineFailed, IndexBusy) as error:
        raise BuildError(f"Nothing was changed, because the search index could not be updated: {error}") from error
