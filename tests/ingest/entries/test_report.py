"""Progress of long commands in logs."""

from io import StringIO

import pytest
from django.core.management.base import OutputWrapper

from ingest.entries import report
from ingest.entries.report import LineProgress


def lines_of(items: str) -> list[str]:
    """What a loop over the items writes to a command's stderr, without the rates."""
    log = StringIO()
    assert list(LineProgress(OutputWrapper(log)).track("Writing", items)) == list(items)
    return [line.partition(",")[0] for line in log.getvalue().splitlines()]


def test_a_loop_ends_with_a_line_that_counts_its_items() -> None:
    assert lines_of("abc") == ["Writing: 3"]
    assert lines_of("") == ["Writing: 0"]


def test_a_slow_loop_has_a_rate_that_says_something() -> None:
    log = StringIO()
    LineProgress(OutputWrapper(log))._write_rate("Reading", 3, 10.0, 9)
    assert log.getvalue() == "Reading: 3, 0.3/s, 20 s left\n"


def test_a_long_loop_writes_lines_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "_SECONDS_BETWEEN_LINES", 0.0)
    assert lines_of("ab") == ["Writing: 1", "Writing: 2", "Writing: 2"]
