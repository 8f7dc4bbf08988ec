"""Builds and checks snapshots from plain files; knows no web framework."""

from papers.build.errors import BuildError
from papers.build.snapshot import BuildFolders, SnapshotBuildReport, build_snapshot

__all__ = ["BuildError", "BuildFolders", "SnapshotBuildReport", "build_snapshot"]
