"""Builds, updates and checks snapshots from plain files; knows no web framework."""

from papers.build.errors import BuildError, LibraryBusy, UnusableInput
from papers.build.fingerprints import fingerprints
from papers.build.inputs import BuildFolders, is_input
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
from papers.build.zotero import is_zotero

__all__ = [
    "BuildError",
    "BuildFolders",
    "IndexUpdate",
    "LibraryBusy",
    "NewVersion",
    "PaperChange",
    "SnapshotBuildReport",
    "UnusableInput",
    "UpdateRecord",
    "UpdateReport",
    "build_snapshot",
    "fingerprints",
    "is_input",
    "is_zotero",
    "preview_update",
    "undo_update",
    "update_library",
    "updates_of",
]
