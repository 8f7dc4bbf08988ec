"""Checks a snapshot and its assets; knows no web framework."""

from papers.check.report import CheckReport
from papers.check.snapshot import check_snapshot

__all__ = ["CheckReport", "check_snapshot"]
