"""The folder is read as it is now, and nothing outside it."""

import os
from pathlib import Path

import pytest
from pytest_django import Settings

from specs import core
from specs.errors import ProjectNotFound, SpecNotFound
from specs.reading.projects import read_setting
from tests.specs.folders import LAMP, MAIN, write, write_openspec


def ids() -> list[str]:
    return [spec.id for spec in core.parse_all_specs()]


def unreadable() -> list[tuple[str, str, int]]:
    return [(item.notice.code, item.file, item.notice.line) for item in core.all_notices()]


def test_nested_folders_make_nested_ids(openspec: Path) -> None:
    assert ids() == ["alarm-clock", "bedroom/night-light"]


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


def test_a_folder_of_specs_and_a_project_folder_are_served_too(openspec: Path, settings: Settings) -> None:
    settings.SPECS = str(openspec / "specs")
    assert ids() == ["alarm-clock", "bedroom/night-light"]
    settings.SPECS = str(openspec.parent)
    assert ids() == ["alarm-clock", "bedroom/night-light"]


def test_several_projects_have_their_own_ids(openspec: Path, settings: Settings) -> None:
    other = write(openspec.parent / "other", {"kettle/spec.md": LAMP})
    settings.SPECS = f"home={openspec}, kitchen={other}"
    assert ids() == ["home:alarm-clock", "home:bedroom/night-light", "kitchen:kettle"]
    assert [spec.id for spec in core.parse_all_specs("kitchen")] == ["kitchen:kettle"]
    assert core.get_spec_by_id("kettle").id == "kitchen:kettle"


def test_an_id_in_two_projects_needs_its_project(openspec: Path, settings: Settings) -> None:
    settings.SPECS = f"a={openspec},b={write_openspec(openspec.parent / 'b')}"
    with pytest.raises(SpecNotFound) as caught:
        core.get_spec_by_id("alarm-clock")
    assert caught.value.details["nearby"] == ["a:alarm-clock", "b:alarm-clock"]


def test_the_project_may_be_named_although_there_is_one(openspec: Path) -> None:
    assert core.get_spec_by_id("openspec:alarm-clock").id == "alarm-clock"


def test_an_unknown_project_is_named_with_those_that_exist(openspec: Path) -> None:
    with pytest.raises(ProjectNotFound) as caught:
        core.parse_all_specs("attic")
    assert caught.value.details["projects"] == ["openspec"]


def test_a_folder_with_equals_or_comma_in_its_path_is_one_project() -> None:
    assert [project.folder.name for project in read_setting("/a b/x=y,z")] == ["x=y,z"]


def test_a_missing_folder_has_no_specs(tmp_path: Path, settings: Settings) -> None:
    settings.SPECS = str(tmp_path / "nowhere")
    assert ids() == []


def test_invalid_utf8_is_served_with_a_notice(openspec: Path) -> None:
    (openspec / "specs/alarm-clock/spec.md").write_bytes(MAIN.encode().replace(b"Wakes", b"W\xffkes"))
    assert "W\ufffdkes" in core.get_spec_by_id("alarm-clock").document.purpose
    assert ("not_utf8", "specs/alarm-clock/spec.md", 5) in unreadable()


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
    assert unreadable() == [("unreadable", f"specs/{name}/spec.md", 1) for name in ("huge", "link", "pipe")]


@pytest.mark.parametrize(
    "spec_id",
    ["../alarm-clock", "/etc/passwd", "alarm-clock/../alarm-clock", "alarm-clock/", "alarm-clock/spec.md",
     "bedroom", "bedroom\\night-light", "alarm-clock\0", "%2e%2e/alarm-clock",
     "openspec:../specs/alarm-clock"],
)  # fmt: skip
def test_path_tricks_reach_nothing(openspec: Path, spec_id: str) -> None:
    with pytest.raises(SpecNotFound) as caught:
        core.get_spec_by_id(spec_id)
    assert str(openspec) not in caught.value.message
