"""Which folders a setting names, and what each may hold."""

from pathlib import Path

from pytest_django import Settings

from specs import core
from specs.reading.files import read_setting


def ids() -> list[str]:
    return [spec.id for spec in core.parse_all_specs()]


def test_a_folder_of_specs_and_a_project_folder_are_served_too(openspec: Path, settings: Settings) -> None:
    settings.SPECS = str(openspec / "specs")
    assert ids() == ["alarm-clock", "bedroom/night-light"]
    settings.SPECS = str(openspec.parent)
    assert ids() == ["alarm-clock", "bedroom/night-light"]


def test_a_project_with_specs_and_openspec_serves_both(openspec: Path, settings: Settings) -> None:
    project = openspec.parent
    for name in ("alarm-clock", "kettle"):
        (project / "specs" / name).mkdir(parents=True)
        (project / "specs" / name / "spec.md").write_text(f"# {name} of the second folder\n")
    (project / "changes" / "boil-faster").mkdir(parents=True)
    settings.SPECS = str(project)
    specs = {spec.id: spec for spec in core.parse_all_specs()}
    assert list(specs) == ["alarm-clock", "bedroom/night-light", "kettle", "specs/alarm-clock"]
    assert specs["alarm-clock"].file == "openspec/specs/alarm-clock/spec.md"
    assert specs["specs/alarm-clock"].document.title == "alarm-clock of the second folder"
    changes = [change.id for change in core.get_changes()]
    assert "boil-faster" in changes
    assert len(changes) > 1


def test_a_folder_with_equals_or_comma_in_its_path_is_one_project() -> None:
    assert [project.folder.name for project in read_setting("/a b/x=y,z")] == ["x=y,z"]
