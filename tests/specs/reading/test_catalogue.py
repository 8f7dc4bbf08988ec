"""The folder is served as it is now, and only what changed is read again."""

import os
from pathlib import Path

from specs import core
from tests.specs.folders import LAMP, MAIN, write


def ids() -> list[str]:
    return [spec.id for spec in core.parse_all_specs()]


def test_an_edited_file_is_served_at_once(openspec: Path) -> None:
    core.get_spec_by_id("alarm-clock")
    for title in ("First bell", "Other bell", "Third bell"):  # same length, same clock tick
        write(openspec, {"specs/alarm-clock/spec.md": MAIN.replace("# Alarm clock", f"# {title}")})
        assert core.get_spec_by_id("alarm-clock").document.title == title


def test_added_and_deleted_files_are_noticed(openspec: Path) -> None:
    ids()
    write(openspec, {"specs/kettle/spec.md": LAMP})
    assert "kettle" in ids()
    (openspec / "specs/kettle/spec.md").unlink()
    assert "kettle" not in ids()


def test_an_unchanged_file_is_not_parsed_again(openspec: Path) -> None:
    path = openspec / "specs/alarm-clock/spec.md"
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert core.get_spec_by_id("alarm-clock") is core.get_spec_by_id("alarm-clock")
