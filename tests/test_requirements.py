"""Requirement documents and tests name each other: no scenario without a test, no mark without a scenario."""

from tests.scenario_marks import marks, pending, requirements


def scenario_names() -> set[str]:
    return {name for requirement in requirements() for name in requirement.scenario_names()}


def test_every_requirement_says_shall_and_has_a_scenario() -> None:
    found = requirements()
    assert found
    assert [(r.spec_id, r.name) for r in found if "SHALL" not in r.text or not r.scenarios] == []


def test_every_scenario_says_when_and_then() -> None:
    assert [
        (requirement.name, scenario)
        for requirement in requirements()
        for scenario, body in requirement.scenarios.items()
        if "- **WHEN** " not in body or "- **THEN** " not in body
    ] == []


def test_requirement_names_are_unique_within_a_spec() -> None:
    names = [(requirement.spec_id, requirement.name) for requirement in requirements()]
    assert len(names) == len(set(names))


def test_every_mark_names_a_scenario() -> None:
    known = scenario_names()
    assert {name: place for name, place in marks().items() if name not in known} == {}


def test_every_scenario_has_a_test_or_is_pending() -> None:
    assert sorted(scenario_names() - marks().keys() - set(pending())) == []


def test_pending_scenarios_exist_and_have_no_test_yet() -> None:
    known, shown = scenario_names(), marks()
    assert [name for name in pending() if name not in known] == []
    assert [(name, shown[name]) for name in pending() if name in shown] == []


def test_pending_scenarios_are_sorted_and_listed_once() -> None:
    assert pending() == sorted(set(pending()))
