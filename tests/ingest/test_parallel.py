"""A build in several processes gives the same library as one in a single process."""

from pathlib import Path

import pytest

from tests.ingest.library import build, write_lines
from tests.ingest.library_content import assets, content

PAPERS = 40


def test_the_library_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    papers = [
        {"title": f"Rivers {number % 30}", "authors": ["Ann Delta"], "year": 2000 + number, "abstract": f"No {number}"}
        for number in range(PAPERS)
    ]
    lines = write_lines(tmp_path / "papers.jsonl", *papers)
    alone = build(tmp_path / "alone", lines)
    monkeypatch.setattr("ingest.build.PAPERS_WORTH_PROCESSES", 1)
    monkeypatch.setattr("ingest.workers._PAPERS_AT_ONCE", 7)
    monkeypatch.setattr("ingest.input_reading._BYTES_WORTH_PROCESSES", 1)
    monkeypatch.setattr("ingest.reading.json_file._LINES_AT_ONCE", 7)
    together = build(tmp_path / "together", lines)
    assert together.report.build_id == alone.report.build_id
    assert content(together.out) == content(alone.out)
    assert assets(together.out) == assets(alone.out)
    keys = together.column("SELECT bibtex_key FROM paper_bibtex")
    assert len(set(keys)) == len(keys) == PAPERS
