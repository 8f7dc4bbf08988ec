"""The spec tools answer from the folder that is served; errors about unknown names suggest similar ones."""

from pathlib import Path

import pytest
from pytest_django import Settings

from papercore.errors import InvalidInput
from specs import tools
from specs.errors import ChangeNotFound, RequirementNotFound, ScenarioNotFound, SpecNotFound
from tests.specs.folders import MAIN, write


def test_list_specs_counts_requirements_and_shortens_purposes(openspec: Path) -> None:
    write(openspec, {"specs/alarm-clock/spec.md": MAIN.replace("Wakes people", "Wakes people " * 50)})
    clock, lamp = tools.list_specs().specs
    assert (clock.requirement_count, lamp.requirement_count) == (2, 1)
    assert len(clock.purpose) <= 300
    assert clock.purpose.endswith(" …")


def test_get_spec_requirements_names_scenarios_and_warnings(openspec: Path) -> None:
    write(openspec, {"specs/alarm-clock/spec.md": MAIN + "\n### Divider\n"})
    answer = tools.get_spec_requirements("alarm-clock")
    assert answer.requirements[0].scenarios == ["A weekday", "A holiday"]
    (warning,) = answer.warnings
    assert warning.startswith("specs/alarm-clock/spec.md, line 36: “Divider”")


def test_an_almost_right_spec_id_is_answered_with_the_right_one(openspec: Path) -> None:
    with pytest.raises(SpecNotFound) as caught:
        tools.get_spec_requirements("alarm_clok")
    assert caught.value.details["nearby"] == ["alarm-clock"]
    assert "Nearby: alarm-clock." in caught.value.message


def test_an_almost_right_requirement_is_answered_with_the_right_one(openspec: Path) -> None:
    with pytest.raises(RequirementNotFound) as caught:
        tools.get_scenario("alarm-clock", "rings in time")
    assert caught.value.details["nearby"] == ["Rings on time"]


def test_names_are_found_whatever_their_case(openspec: Path) -> None:
    answer = tools.get_scenario("alarm-clock", "rings ON time ", "a holiday")
    assert (answer.requirement, answer.scenario.name) == ("Rings on time", "A holiday")


def test_several_conditions_are_joined_and_but_is_kept(openspec: Path) -> None:
    assert tools.get_scenario("alarm-clock", "Rings on time").scenario.when == "it is Monday\nAND the time is 07:00"
    snooze = tools.get_scenario("alarm-clock", "Snooze").scenario
    assert snooze.then == ["it is silent for nine minutes", "BUT it rings again afterwards"]


def test_a_requirement_without_scenarios_says_so(openspec: Path) -> None:
    write(openspec, {"specs/bare/spec.md": "## Requirements\n### Requirement: Bare\nIt SHALL.\n"})
    with pytest.raises(ScenarioNotFound):
        tools.get_scenario("bare", "Bare")


def test_a_scenario_of_a_doubled_requirement_is_found(openspec: Path) -> None:
    block = "### Requirement: R\nIt SHALL.\n#### Scenario: {}\n- WHEN a\n"
    write(openspec, {"specs/twice/spec.md": "## Requirements\n" + block.format("one") + block.format("two")})
    assert tools.get_scenario("twice", "R", "two").scenario.name == "two"


def test_changes_are_listed_with_counts_and_progress(openspec: Path) -> None:
    (change,) = tools.list_changes().changes
    assert change.model_dump() == {
        "id": "gentler-waking",
        "project": "openspec",
        "title": "Gentler waking",
        "archived": False,
        "tasks_done": 1,
        "tasks_total": 2,
        "specs": ["alarm-clock"],
        "added": 1,
        "modified": 1,
        "removed": 1,
        "renamed": 1,
    }
    assert [item.id for item in tools.list_changes(archived=True).changes] == ["archive/2026-01-02-first-light"]


def test_a_modified_requirement_is_shown_as_a_difference_from_the_text_in_force(openspec: Path) -> None:
    change = tools.get_change("gentler-waking")
    (modified,) = change.modified_requirements
    assert modified.difference is not None
    lines = modified.difference.splitlines()
    assert any(line.startswith("-") and "nine minutes" in line for line in lines)
    assert "+The clock SHALL fall silent for five minutes when it is tapped." in lines
    assert all(item.difference is None for item in change.added_requirements)


def test_get_change_returns_deltas_by_kind(openspec: Path) -> None:
    change = tools.get_change("gentler-waking")
    assert change.why.startswith("People wake up cross")
    assert [item.name for item in change.added_requirements] == ["Vibrates"]
    assert change.modified_requirements[0].description.endswith("five minutes when it is tapped.")
    assert [item.name for item in change.removed_requirements] == ["Shows the moon"]
    assert change.renamed_requirements[0].new_name == "Rings to the minute"
    assert tools.get_change("archive/2026-01-02-first-light").archived


def test_an_edited_change_is_served_at_once(openspec: Path) -> None:
    tools.get_change("gentler-waking")
    write(openspec, {"changes/gentler-waking/tasks.md": "- [x] all\n"})
    assert tools.list_changes().changes[0].tasks_total == 1


def test_changes_of_named_projects_carry_the_name(openspec: Path, settings: Settings) -> None:
    settings.SPECS = f"home={openspec}"
    assert tools.list_changes().changes[0].id == "home:gentler-waking"
    assert tools.get_change("home:gentler-waking").specs == ["home:alarm-clock"]


@pytest.mark.parametrize("change", ["gentle-waking", "../specs", "archive", "archive/..", "."])
def test_an_unknown_change_is_not_found(openspec: Path, change: str) -> None:
    with pytest.raises(ChangeNotFound):
        tools.get_change(change)


def test_a_good_spec_is_valid(openspec: Path) -> None:
    assert tools.validate_spec("alarm-clock").valid


def test_a_bad_spec_is_judged_with_lines(openspec: Path) -> None:
    text = "## Purpose\nTBD\n## Requirements\n### Requirement: A SHALL\nIt rings.\n#### Scenario: s\n- WHEN a\n"
    text += "### Requirement: B\n## ADDED Requirements\n### Requirement: C\nMUST.\n"
    write(openspec, {"specs/bad/spec.md": text})
    answer = tools.validate_spec("bad")
    assert not answer.valid
    assert [(issue.level, issue.line) for issue in answer.issues] == [
        ("warning", 1),
        ("warning", 4),
        ("error", 8),
        ("error", 8),
        ("error", 9),
        ("error", 10),
    ]


def test_arguments_out_of_bounds_are_invalid_input(openspec: Path) -> None:
    with pytest.raises(InvalidInput):
        tools.get_spec_requirements("x" * 301)
    with pytest.raises(InvalidInput):
        tools.get_scenario("alarm-clock", "")


def test_a_very_long_text_is_cut_in_the_overview_and_whole_with_its_scenario(openspec: Path) -> None:
    write(openspec, {"specs/alarm-clock/spec.md": MAIN.replace("The clock SHALL ring", "word " * 1000 + "SHALL ring")})
    overview = tools.get_spec_requirements("alarm-clock").requirements[0].description
    assert "[truncated: " in overview
    assert "[truncated: " not in tools.get_scenario("alarm-clock", "Rings on time").description
