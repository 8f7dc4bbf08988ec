"""Checks a snapshot and its assets; knows no web framework."""

from ingest.checking.snapshot import CheckReport, check_snapshot

__all__ = ["CheckReport", "check_snapshot"]
