"""Builds, changes and checks libraries from plain files; knows no web framework."""

from ingest.build import build_snapshot
from ingest.changing import ChangeSettings, IndexUpdate, NewVersion, StateChanged
from ingest.entries.entry import BuildError, LibraryBusy, UnusableInput
from ingest.entries.report import FieldChange, PaperChange, SnapshotBuildReport, UpdateReport
from ingest.ledger.rows import Operation
from ingest.operations import build_id_of, edit_paper, history, merge_papers, redo, split_paper, undo
from ingest.reading.inputs import BuildFolders, is_input
from ingest.reading.zotero_database import is_zotero
from ingest.update import preview_update, update_library

__all__ = [
    "BuildError",
    "BuildFolders",
    "ChangeSettings",
    "FieldChange",
    "IndexUpdate",
    "LibraryBusy",
    "NewVersion",
    "Operation",
    "PaperChange",
    "SnapshotBuildReport",
    "StateChanged",
    "UnusableInput",
    "UpdateReport",
    "build_id_of",
    "build_snapshot",
    "edit_paper",
    "history",
    "is_input",
    "is_zotero",
    "merge_papers",
    "preview_update",
    "redo",
    "split_paper",
    "undo",
    "update_library",
]
