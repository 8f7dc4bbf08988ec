"""Builds, updates and checks snapshots from plain files; knows no web framework."""

from ingest.errors import BuildError, LibraryBusy, UnusableInput
from ingest.fingerprints import fingerprints
from ingest.inputs import BuildFolders, is_input
from ingest.report import SnapshotBuildReport
from ingest.snapshot import build_snapshot
from ingest.update import (
    IndexUpdate,
    NewVersion,
    preview_update,
    undo_update,
    update_library,
    updates_of,
)
from ingest.update_report import UpdateReport
from ingest.versions import PaperChange, UpdateRecord
from ingest.zotero import is_zotero

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
