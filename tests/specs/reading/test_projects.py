"""Which folders a setting names, and what each may hold."""

from pathlib import Path

from pytest_django import Settings

from specs import core
from specs.reading.projects import read_setting


def ids() -> list[str]:
    return [spec.id for spec in core.parse_all_specs()]


def test_a_folder_of_specs_and_a_project_folder_are_served_too(openspec: Path, settings: Settings) -> None:
    settings.SPECS = str(openspec / "specs")
    assert ids() == ["alarm-clock", "bedroom/night-light"]
    settings.SPECS = str(openspec.parent)
    assert ids() == ["alarm-clock", "bedroom/night-light"]


def test_a_folder_with_equals_or_comma_in_its_path_is_one_project() -> None:
    assert [project.folder.name for project in read_setting("/a b/x=y,z")] == ["x=y,z"]
