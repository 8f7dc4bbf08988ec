"""Core: specs are looked up by id, and never outside the folder."""

from pathlib import Path

import pytest
from pytest_django import Settings

from specs import core
from specs.errors import ProjectNotFound, SpecNotFound
from tests.specs.folders import LAMP, write, write_openspec


def ids() -> list[str]:
    return [spec.id for spec in core.parse_all_specs()]


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


def test_a_missing_folder_has_no_specs(tmp_path: Path, settings: Settings) -> None:
    settings.SPECS = str(tmp_path / "nowhere")
    assert ids() == []


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
