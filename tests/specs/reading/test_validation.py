"""Strict validation: each fault of a main spec has its message and its line."""

import pytest

from specs.reading.parser import parse
from specs.reading.validation import validate

PURPOSE = "## Purpose\nSays at some length what this spec is for, so that nobody has to guess it.\n"
SCENARIO = "#### Scenario: Rings\n- **WHEN** it is seven\n- **THEN** it rings\n"
RULE = f"### Requirement: Rings\nThe clock SHALL ring.\n\n{SCENARIO}"
GOOD = f"# Clock\n\n{PURPOSE}\n## Requirements\n\n{RULE}"


def messages(text: str) -> list[str]:
    return [issue.message for issue in validate(parse(text, "clock"))]


def test_a_whole_spec_has_no_issue() -> None:
    assert messages(GOOD) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace(PURPOSE, ""), "“## Purpose” section with text is missing"),
        (GOOD.replace(PURPOSE, "## Purpose\nWakes.\n"), "shorter than"),
        (GOOD.replace("## Requirements\n", "").replace(RULE, ""), "“## Requirements” section is missing"),
        (GOOD.replace(RULE, ""), "holds no requirement"),
        (GOOD + "\n" + RULE, "repeats the one on line"),
        (GOOD + "\n## ADDED Requirements\n\n" + RULE, "belongs in a change"),
        (GOOD.replace("The clock SHALL ring.\n", ""), "has no text"),
        (GOOD.replace("SHALL ring", "rings"), "should say SHALL or MUST"),
        (GOOD.replace("ring.", "ring. " + "On and on. " * 60), "is longer than"),
        (GOOD + "\n```\nnever closed\n", "fence"),
    ],
)
def test_each_fault_has_its_message(text: str, message: str) -> None:
    found = messages(text)
    assert any(message in issue for issue in found), found
