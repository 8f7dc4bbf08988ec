"""Builds, changes and checks libraries from plain files; knows no web framework."""

from ingest.build import build_snapshot
from ingest.changing import ChangeSettings, IndexUpdate, NewVersion, StateChanged
from ingest.entries.entry import BelongsToOther, BuildError, LibraryBusy, UnusableInput
from ingest.entries.report import FieldChange, PaperChange, SnapshotBuildReport, UpdateReport
from ingest.known_papers import KnownPaper, known_paper, merged_values, paper_called
from ingest.ledger.rows import Decisions, Operation
from ingest.operations import (
    attach_pdf,
    build_id_of,
    edit_paper,
    history,
    merge_papers,
    redo,
    split_paper,
    tell_apart,
    undo,
)
from ingest.reading.inputs import BuildFolders, is_input
from ingest.reading.zotero_database import is_zotero
from ingest.tidying import LikelyDuplicate, Missing, incomplete_papers, likely_duplicates
from ingest.update import preview_update, update_library

__all__ = [
    "BelongsToOther",
    "BuildError",
    "BuildFolders",
    "ChangeSettings",
    "Decisions",
    "FieldChange",
    "IndexUpdate",
    "KnownPaper",
    "LibraryBusy",
    "LikelyDuplicate",
    "Missing",
    "NewVersion",
    "Operation",
    "PaperChange",
    "SnapshotBuildReport",
    "StateChanged",
    "UnusableInput",
    "UpdateReport",
    "attach_pdf",
    "build_id_of",
    "build_snapshot",
    "edit_paper",
    "history",
    "incomplete_papers",
    "is_input",
    "is_zotero",
    "known_paper",
    "likely_duplicates",
    "merge_papers",
    "merged_values",
    "paper_called",
    "preview_update",
    "redo",
    "split_paper",
    "tell_apart",
    "undo",
    "update_library",
]
