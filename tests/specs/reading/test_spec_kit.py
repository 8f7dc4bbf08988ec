"""Specs of GitHub Spec Kit become requirements and scenarios like any others."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from specs import tools
from specs.core import get_scenario, get_spec_by_id, parse_all_specs
from specs.reading.parser import parse
from specs.reading.validation import validate
from tests.growth import grows_too_fast

SPEC = """\
# Feature Specification: Night mode

**Feature Branch**: `003-night-mode`
**Status**: Draft
**Input**: User description: "Readers want dark pages at night"

## User Scenarios & Testing *(mandatory)*

### User Story 1 - Dark pages after sunset (Priority: P1)

A reader opens a paper in the evening and sees a dark page.

**Why this priority**: most reading happens then.

**Acceptance Scenarios**:

1. **Given** a reader without a choice, **When** the sun has set, **Then** the page is dark
2. **Given** a reader who chose light, **When** the sun has set, **Then** the page stays light, **And** says why

---

### User Story 2 - Choosing (Priority: P2)

A reader chooses.

### Edge Cases

- What happens at the pole?

## Requirements *(mandatory)*

### Functional Requirements

- **FR-001**: System MUST follow the reader's clock
  unless a place is known.
- **FR-002**: System is quick
- **FR-003**: System MUST keep the choice for [NEEDS CLARIFICATION: how long?]

### Key Entities

- **Choice**: what the reader wants

## Success Criteria *(mandatory)*

### Measurable Outcomes

- **SC-001**: 90% of readers never touch the switch
"""
OPENSPEC = """\
# Switch
## Purpose
Lets a reader switch between light and dark pages by hand at any time.
## Requirements
### Requirement: A switch
The site SHALL have a switch.
#### Scenario: By hand
- **WHEN** it is pressed
- **THEN** the page changes
"""


@pytest.fixture
def project(tmp_path: Path, settings: Settings) -> Path:
    for name, text in {"specs/003-night-mode": SPEC, "openspec/specs/switch": OPENSPEC}.items():
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "spec.md").write_text(text, encoding="utf-8")
    settings.SPECS = str(tmp_path)
    return tmp_path


def test_stories_numbers_and_criteria_are_requirements() -> None:
    document = parse(SPEC, "x")
    assert (document.title, document.purpose) == ("Night mode", "Readers want dark pages at night")
    assert [item.name for item in document.in_force] == [
        "User Story 1 - Dark pages after sunset",
        "User Story 2 - Choosing",
        *("FR-001", "FR-002", "FR-003", "SC-001"),
    ]
    assert document.in_force[2].text == "System MUST follow the reader's clock\n  unless a place is known."
    assert document.in_force[0].text.startswith("A reader opens a paper")
    assert (
        document.in_force[-1].line == SPEC.split("\n").index("- **SC-001**: 90% of readers never touch the switch") + 1
    )


def test_acceptance_scenarios_have_their_steps() -> None:
    first, second = parse(SPEC, "x").in_force[0].scenarios
    assert first.name == "Scenario 1: the sun has set"
    assert (first.texts("given"), first.texts("when")) == (["a reader without a choice"], ["the sun has set"])
    assert second.texts("then") == ["the page stays light", "says why"]


def test_scenarios_under_a_heading_of_their_own_belong_to_the_story_before() -> None:
    text = "# Feature Specification: X\n## User Scenarios & Testing\n### Primary User Story\nS.\n"
    text += "### Acceptance Scenarios\n1. Given a, When b, Then c\n"
    (story,) = parse(text, "x").in_force
    (scenario,) = story.scenarios
    assert (scenario.texts("given"), scenario.texts("when"), scenario.texts("then")) == (["a"], ["b"], ["c"])


def test_both_kinds_of_one_project_are_listed_found_and_shown(project: Path, client: Client) -> None:
    assert [spec.id for spec in parse_all_specs()] == ["003-night-mode", "switch"]
    requirement, scenario = get_scenario(
        get_spec_by_id("003-night-mode"), "User Story 1 - Dark pages after sunset", None
    )
    assert (requirement.level, scenario.line) == (3, 17)
    name = parse_all_specs()[0].project
    page = client.get(f"/specs/{name}/003-night-mode/", headers={"host": "localhost"})
    assert "FR-001" in page.content.decode()


def test_it_is_validated_by_its_own_rules(project: Path) -> None:
    found = tools.validate_spec("003-night-mode")
    assert [(issue.level, issue.message) for issue in found.issues] == [
        ("warning", "“User Story 2 - Choosing” has no acceptance scenario."),
        ("warning", "FR-002 should say MUST or SHALL."),
        ("warning", "Something here still needs clarification."),
    ]
    assert tools.validate_spec("switch").valid


def test_an_empty_template_says_what_is_missing() -> None:
    messages = [issue.message for issue in validate(parse("# Feature Specification: X\n", "x"))]
    assert [message.partition(" under")[0] for message in messages] == [
        "A user story",
        "A functional requirement (FR-001)",
        "A success criterion (SC-001)",
    ]


@pytest.mark.parametrize(
    "piece",
    [
        "1. **Given** a, **When** b, **Then** c\n",
        "- **FR-001**: x\n  y\n",
        "### User Story 1\n",
        "**Input** : ",
        ", When ",
    ],
)
@pytest.mark.parametrize("head", ["", "## Requirements\n"])
def test_reading_takes_time_in_proportion_to_the_file(piece: str, head: str) -> None:
    start = "# Feature Specification: X\n## User Scenarios\n### User Story 1\n**Acceptance Scenarios**\n"
    assert grows_too_fast(lambda text: parse(text, "x"), lambda size: f"{start}{head}{piece * size}", 1_000) == ""


def test_plan_tasks_and_constitution_are_served_by_their_sections(tmp_path: Path, settings: Settings) -> None:
    files = {
        "specs/001-export/spec.md": "# Feature Specification: Export\n\n## Requirements\n\n- **FR-001**: MUST work.\n",
        "specs/001-export/plan.md": "# Implementation Plan\n\n## Storage\n\nFiles are kept in SQLite.\n",
        "specs/001-export/tasks.md": "# Tasks\n\n## Phase 1\n\n- [x] T001 Make the table\n",
        ".specify/memory/constitution.md": "# Constitution\n\n## Library First\n\nEvery feature is a library.\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    settings.SPECS = str(tmp_path)
    listed = {spec.id: spec.requirement_count for spec in tools.list_specs().specs}
    assert listed == {"001-export": 1, "001-export/plan": 0, "001-export/tasks": 0, "constitution": 0}
    (section,) = tools.get_spec_requirements("constitution").requirements
    assert (section.name, section.description) == ("Library First", "Every feature is a library.")
    plan = tools.get_spec_requirements("001-export/plan")
    assert (plan.title, plan.requirements[0].name, plan.warnings) == ("Implementation Plan", "Storage", [])
    assert tools.validate_spec("001-export/tasks").valid
