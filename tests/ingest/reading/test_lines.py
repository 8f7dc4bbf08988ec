"""Lines of inputs: numbered, decoded, bounded."""

from pathlib import Path

import pytest

from ingest.reading import lines


def test_a_line_that_is_too_long_is_skipped_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINE_BYTES", 100)
    path = tmp_path / "a.jsonl"
    path.write_text('{"title": "Short"}\n' + "x" * 350 + '\n{"title": "After"}\n')
    read = list(lines.read_lines(path))
    assert [line.problem for line in read] == ["", "longer than 100 bytes", ""]
    assert [line.number for line in read] == [1, 2, 3]
    assert read[2].text == '{"title": "After"}'
