"""The library that commands and pages change, with its search index."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path

from django.conf import settings

from ingest import BuildError, BuildFolders, ChangeSettings, NewVersion, UpdateReport, update_library
from ingest.entries.report import NoProgress, TaskProgress
from ingest.known_papers import added_last as added_papers
from papercore import limits
from papercore.retrieval import EngineFailed, IndexBusy
from papercore.snapshot.file import ASSETS, DATABASE
from papers.library import index_build
from papers.snapshot import served
from papers.snapshot.served import is_demo, served_location

# Papers among which feeds and the home page look for what was added last.
ADDED_LAST = 500


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


def own_library() -> Path:
    """The library that people change: the one that is served, unless that is the demo."""
    return Path(settings.OWN_SNAPSHOT).parent if is_demo() else served_library()


def is_kept() -> bool:
    """Whether people can correct the library that is served: it is their own, and has the layout that is changed."""
    with suppress(BuildError):
        return not is_demo() and served_library().is_dir()
    return False


def added_last() -> dict[str, str]:
    """The papers of the library that is served which were added last, the last first, and when; none if unknown."""
    return _added_last(served_location().database.parent, served.version())


@lru_cache(maxsize=2)
def _added_last(library: Path, version: int) -> dict[str, str]:
    with suppress(BuildError):
        return added_papers(library, ADDED_LAST)
    return {}


def update(
    library: Path,
    add: Sequence[Path] = (),
    remove: Sequence[str] = (),
    folders: BuildFolders | None = None,
    progress: TaskProgress | None = None,
    by: str = "",
    said: str = "",
) -> UpdateReport:
    """`update_library` with the search index."""
    return update_library(library, add, remove, folders, settings=change_settings(progress, by, said=said))


def follow(
    library: Path,
    add: Sequence[Path],
    gone: Sequence[Path],
    *,
    progress: TaskProgress,
    wait_seconds: float,
    folders: BuildFolders | None = None,
) -> UpdateReport:
    """What watched files say now, in place of what they said before."""
    change = change_settings(progress, "watcher", wait_seconds)
    return update_library(library, add, (), folders, gone=gone, follow=True, settings=change)


def change_settings(
    progress: TaskProgress | None = None,
    by: str = "",
    wait_seconds: float = limits.UPDATE_WAIT_SECONDS,
    shown: Mapping[str, str] | None = None,
    shown_build: str | None = None,
    said: str = "",
) -> ChangeSettings:
    """How a library is changed: with its index."""
    progress = progress or NoProgress()
    update_index = partial(_update_index, progress=progress)
    return ChangeSettings(
        by=by,
        said=said,
        update_index=update_index,
        wait_seconds=wait_seconds,
        progress=progress,
        shown=shown or {},
        shown_build=shown_build,
    )


def fill_index(library: Path, progress: TaskProgress) -> None:
    """Add the sentence vectors of new papers, if no other process is at it."""
    with suppress(IndexBusy):
        index_build.fill(library / DATABASE, progress)


def _update_index(version: NewVersion, progress: TaskProgress) -> None:
    try:
        index_build.update(version, progress)
    except (EngineFailed, IndexBusy) as error:
        raise BuildError(f"Nothing was changed, because the search index could not be updated: {error}") from error
