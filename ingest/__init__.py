"""Builds, updates and checks snapshots from plain files; knows no web framework."""

from ingest.build import build_snapshot
from ingest.entries.entry import BuildError, LibraryBusy, UnusableInput
from ingest.entries.report import PaperChange, SnapshotBuildReport, UpdateRecord, UpdateReport
from ingest.publishing.stored_papers import fingerprints
from ingest.reading.inputs import BuildFolders, is_input
from ingest.reading.zotero_database import is_zotero
from ingest.update import (
    IndexUpdate,
    NewVersion,
    preview_update,
    undo_update,
    update_library,
    updates_of,
)

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
