"""One search over the indexes of several projects, which says when an index is out of date."""

from pathlib import Path

from pytest_django import Settings

from papersite.command.commands import call_command
from specs import core, tools
from tests.specs.folders import LAMP, MAIN, write


def test_an_edited_spec_makes_the_index_out_of_date(indexed: Path) -> None:
    assert tools.search_specs("snooze").notice is None
    write(indexed, {"specs/alarm-clock/spec.md": MAIN.replace("nine", "ten")})
    answer = tools.search_specs("snooze")
    assert answer.results
    assert answer.notice is not None
    assert "build-spec-index" in answer.notice


def test_several_projects_are_searched_together_or_one_alone(indexed: Path, settings: Settings) -> None:
    other = write(indexed.parent / "other", {"kettle/spec.md": LAMP})
    settings.SPECS = f"home={indexed},kitchen={other}"
    call_command("build_spec_index", project="home")
    answer = tools.search_specs("lamp dims")
    assert {hit.spec_id for hit in answer.results} == {"home:bedroom/night-light"}
    assert answer.notice is not None
    assert "kitchen" in answer.notice
    call_command("build_spec_index", project="kitchen")
    assert [hit.spec_id for hit in tools.search_specs("lamp dims", project="kitchen").results] == ["kitchen:kettle"]
    assert len(tools.search_specs("lamp dims").results) == 2


def test_an_empty_folder_has_an_empty_index(tmp_path: Path, settings: Settings) -> None:
    settings.SPECS, settings.DATA = str(tmp_path / "none"), tmp_path / "data"
    call_command("build_spec_index")
    assert core.search("anything", 10).hits == []
