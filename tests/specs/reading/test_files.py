"""Files are found and read only inside the folder, whatever their encoding."""

import os
from pathlib import Path

import pytest

from specs import core
from specs.reading.files import UnreadableFile, find_specs, read_text
from tests.specs.folders import MAIN, write


def ids() -> list[str]:
    return [spec.id for spec in core.parse_all_specs()]


def notices() -> list[tuple[str, str, int]]:
    return [(item.notice.code, item.file, item.notice.line) for item in core.all_notices()]


def test_nested_folders_make_nested_ids(openspec: Path) -> None:
    assert ids() == ["alarm-clock", "bedroom/night-light"]


def test_invalid_utf8_is_served_with_a_notice(openspec: Path) -> None:
    (openspec / "specs/alarm-clock/spec.md").write_bytes(MAIN.encode().replace(b"Wakes", b"W\xffkes"))
    assert "W\ufffdkes" in core.get_spec_by_id("alarm-clock").document.purpose
    assert ("not_utf8", "specs/alarm-clock/spec.md", 5) in notices()


def test_utf16_is_read(openspec: Path) -> None:
    (openspec / "specs/alarm-clock/spec.md").write_bytes(MAIN.encode("utf-16"))
    assert core.get_spec_by_id("alarm-clock").document.title == "Alarm clock"


def test_what_cannot_be_read_is_a_notice_and_the_rest_is_served(openspec: Path, tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"secret/spec.md": MAIN})
    for name in ("pipe", "link", "huge"):
        (openspec / "specs" / name).mkdir()
    os.mkfifo(openspec / "specs/pipe/spec.md")
    (openspec / "specs/link/spec.md").symlink_to(outside / "secret/spec.md")
    with (openspec / "specs/huge/spec.md").open("wb") as file:
        file.truncate(30_000_000)
    (openspec / "specs/linked").symlink_to(outside, target_is_directory=True)
    assert ids() == ["alarm-clock", "bedroom/night-light"]
    assert notices() == [("unreadable", f"specs/{name}/spec.md", 1) for name in ("huge", "link", "pipe")]


def test_hidden_folders_are_skipped(tmp_path: Path) -> None:
    write(tmp_path, {".git/a/spec.md": MAIN, "specs/b/spec.md": MAIN})
    assert [file.id for file in find_specs(tmp_path)] == ["specs/b"]


def test_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_text(tmp_path / "gone.md")
