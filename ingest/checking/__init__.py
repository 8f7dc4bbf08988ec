"""Checks a snapshot and its assets; knows no web framework."""

from ingest.checking.report import CheckReport
from ingest.checking.snapshot import check_snapshot

__all__ = ["CheckReport", "check_snapshot"]
