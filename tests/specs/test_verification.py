"""Which requirements a test is marked with, and which nothing verifies."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from papercore.errors import ToolError
from papersite.configuration import environment
from specs import tools
from tests.server import ROOT
from tests.specs.folders import write
from tests.specs.pages.client import page

CLOCK = """# Clock

## Purpose
Wakes people.

## Requirements

### Requirement: Rings on time
The clock SHALL ring.

#### Scenario: At seven
- **WHEN** it is seven
- **THEN** it rings

#### Scenario: At eight
- **WHEN** it is eight
- **THEN** it rings

### Requirement: Snooze
The clock SHALL be silent.

#### Scenario: Nine minutes
- **WHEN** it is tapped
- **THEN** it is silent
"""


@pytest.fixture
def tested(tmp_path: Path, settings: Settings) -> Path:
    specs = write(tmp_path / "openspec", {"specs/clock/spec.md": CLOCK})
    settings.SPECS = str(specs)
    settings.SPEC_TESTS = str(tmp_path / "tests")
    (tmp_path / "tests").mkdir()
    return tmp_path / "tests"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("test_clock.py", '@pytest.mark.scenario("clock / Rings on time / At seven")\ndef test_x() -> None: ...\n'),
        ("clock.test.ts", "describe('Clock', () => {\n  it('at  Seven', () => {})\n})\n"),
        ("clock_test.go", 'func TestClock(t *testing.T) {\n\tt.Run("At seven", func(t *testing.T) {})\n}\n'),
        ("clock.feature", "Feature: Clock\n  Scenario: At seven\n    When it is seven\n"),
        ("ClockTests.swift", "// Scenario: At seven\nfunc testRings() {}\n"),
    ],
)
def test_a_test_is_found_by_the_mark_of_its_framework(tested: Path, name: str, text: str) -> None:
    (tested / name).write_text(text, encoding="utf-8")
    answer = tools.check_verification("clock", untested_only=False)
    (place,) = answer.listed[0].scenarios[0].tests
    assert place.partition(":")[0] == name
    assert (answer.requirements, answer.verified, answer.scenarios, answer.scenarios_with_test) == (2, 1, 3, 1)


def test_a_project_names_its_own_marks(tested: Path, settings: Settings) -> None:
    text = '@Verifies("At seven")\nvoid rings() {}\n// covers: clock / Snooze / Nine minutes\n'
    (tested / "ClockTest.java").write_text(text, encoding="utf-8")
    assert tools.check_verification().scenarios_with_test == 0
    settings.SPEC_TEST_MARKS = ['@Verifies("{name}")', "covers: {name}"]
    answer = tools.check_verification(untested_only=False)
    assert [item.tests for row in answer.listed for item in row.scenarios] == [
        ["ClockTest.java:1"],
        [],
        ["ClockTest.java:3"],
    ]


@pytest.mark.parametrize("wrong", ["@Verifies", "{name}", "{name} {name}"])
def test_a_mark_without_a_place_for_the_name_is_refused(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setenv("PAPERSITE_SPEC_TEST_MARKS", wrong)
    with pytest.raises(ImproperlyConfigured, match="PAPERSITE_SPEC_TEST_MARKS"):
        environment.patterns("PAPERSITE_SPEC_TEST_MARKS")


def test_every_scenario_of_this_project_has_a_test(settings: Settings) -> None:
    settings.SPECS, settings.SPEC_TESTS = str(ROOT / "openspec"), str(ROOT / "tests")
    answer = tools.check_verification()
    assert answer.listed == []
    assert answer.scenarios_with_test == answer.scenarios > 100


def test_what_nothing_verifies_is_one_call(tested: Path) -> None:
    write(
        tested,
        {"deep/test_clock.py": '@pytest.mark.scenario("At seven")\n', "node_modules/a.test.js": "it('At eight')"},
    )
    answer = tools.check_verification()
    assert [(row.requirement, [item.name for item in row.scenarios]) for row in answer.listed] == [
        ("Rings on time", ["At eight"]),
        ("Snooze", ["Nine minutes"]),
    ]


def test_a_test_of_the_whole_requirement_verifies_it_and_a_similar_name_does_not(tested: Path) -> None:
    (tested / "test_a.py").write_text('@pytest.mark.requirement("Snooze")\n# Scenario: At sevenish\n', encoding="utf-8")
    answer = tools.check_verification(untested_only=False)
    assert [row.tests for row in answer.listed] == [[], ["test_a.py:1"]]
    assert answer.scenarios_with_test == 0


def test_a_name_that_several_have_verifies_only_with_the_names_above_it(tested: Path) -> None:
    write(
        tested.parent / "openspec", {"specs/radio/spec.md": CLOCK.replace("Snooze", "Fades").replace("eight", "nine")}
    )
    file = tested / "test_a.py"
    for mark, verified in (("At seven", 0), ("Rings on time / At seven", 0), ("radio / Rings on time / At seven", 1)):
        file.write_text(f'@pytest.mark.scenario("{mark}")\n', encoding="utf-8")
        assert tools.check_verification().scenarios_with_test == verified, mark
    file.write_text('@pytest.mark.scenario("At nine")\n', encoding="utf-8")
    assert tools.check_verification("radio").scenarios_with_test == 1


def test_a_changed_test_is_seen_at_once(tested: Path) -> None:
    file = tested / "test_a.py"
    file.write_text('@pytest.mark.scenario("At seven")\n', encoding="utf-8")
    assert tools.check_verification().scenarios_with_test == 1
    file.write_text('@pytest.mark.scenario("At seven")\n@pytest.mark.scenario("At eight")\n', encoding="utf-8")
    assert tools.check_verification().scenarios_with_test == 2


def test_tests_beside_the_specs_are_found_without_a_setting(tested: Path, settings: Settings) -> None:
    (tested / "test_a.py").write_text('@pytest.mark.scenario("At seven")\n', encoding="utf-8")
    settings.SPEC_TESTS = None
    for folder in (tested.parent, tested.parent / "openspec"):
        settings.SPECS = str(folder)
        assert tools.check_verification().scenarios_with_test == 1
    settings.SPECS = f"clock={tested.parent}"
    assert tools.check_verification(project="clock").scenarios_with_test == 1


@pytest.mark.parametrize("setting", ["", None])
def test_without_a_folder_of_tests_nothing_is_claimed(tested: Path, settings: Settings, setting: str | None) -> None:
    settings.SPEC_TESTS = setting
    if setting is None:
        tested.rmdir()
    with pytest.raises(ToolError, match="Set PAPERSITE_SPEC_TESTS") as error:
        tools.check_verification()
    assert error.value.code == "no_tests_named"
    assert "with a test" not in page("/specs/")
    assert "with a test" not in page("/specs/openspec/clock/")


def test_the_page_says_where_each_test_is_and_what_has_none(tested: Path) -> None:
    (tested / "test_a.py").write_text('\n@pytest.mark.scenario("At seven")\n', encoding="utf-8")
    text = page("/specs/openspec/clock/")
    assert "1 of 3 with a test" in text
    assert "1 of 3 scenarios with a test" in page("/specs/")
    assert "<code>test_a.py:2</code>" in text
    assert text.count("No test is marked with it") == 2
