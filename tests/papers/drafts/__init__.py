"""Drafts about the demo's papers, and a library of these."""

from pathlib import Path

import papers
from ingest import BuildFolders, build_snapshot
from ingest.entries.report import NoProgress
from papercore.snapshot.assets import FolderStore
from papers.library import index_build

THESIS = Path(__file__).parent / "thesis"
_DEMO = Path(papers.__file__).parent / "demo"


def build_demo_library(folder: Path) -> Path:
    """The database of the demo's papers, with their texts and an index."""
    entries = sorted([*_DEMO.glob("summaries/*.json"), *_DEMO.glob("*.bib")])
    build_snapshot(entries, folder, BuildFolders(markdown=_DEMO / "markdown"))
    database = folder / "paper_snapshot.db"
    index_build.build(database, FolderStore(str(folder / "static")), NoProgress())
    return database
