"""Builds, updates and checks snapshots from plain files; knows no web framework."""

from papers.build.errors import BuildError, LibraryBusy
from papers.build.inputs import BuildFolders
from papers.build.report import SnapshotBuildReport
from papers.build.snapshot import build_snapshot
from papers.build.update import (
    IndexUpdate,
    NewVersion,
    preview_update,
    undo_update,
    update_library,
    updates_of,
)
from papers.build.update_report import UpdateReport
from papers.build.versions import PaperChange, UpdateRecord

__all__ = [
    "BuildError",
    "BuildFolders",
    "IndexUpdate",
    "LibraryBusy",
    "NewVersion",
    "PaperChange",
    "SnapshotBuildReport",
    "UpdateRecord",
    "UpdateReport",
    "build_snapshot",
    "preview_update",
    "undo_update",
    "update_library",
    "updates_of",
]
