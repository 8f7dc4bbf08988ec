"""Checks a snapshot and its assets; knows no web framework."""

from ingest.check.report import CheckReport
from ingest.check.snapshot import check_snapshot

__all__ = ["CheckReport", "check_snapshot"]
