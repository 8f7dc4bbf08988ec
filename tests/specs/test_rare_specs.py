"""Specs as few people write them."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from specs.pages.html import language
from specs.reading.files import UnreadableFile, find_specs, read_text
from specs.reading.parser import parse
from specs.reading.validation import validate
from tests.specs.folders import write_openspec

RULE = (
    "Requirement: Rings\nThe clock SHALL ring.\n\n#### Scenario: Rings\n- **WHEN** it is seven\n- **THEN** it rings\n"
)


def codes(text: str, *, delta: bool = False) -> set[str]:
    return {notice.code for notice in parse(text, "clock", delta=delta).notices}


def test_a_requirement_of_another_level_and_an_empty_purpose_are_said() -> None:
    assert "heading_level" in codes(f"# Clock\n\n## Purpose\nWakes.\n\n## Requirements\n\n## {RULE}")
    assert "no_purpose" in codes(f"# Clock\n\n## Purpose\n\n## Requirements\n\n### {RULE}")


def test_what_stands_under_renamed_is_no_requirement() -> None:
    text = f"## RENAMED Requirements\n\n- FROM: `### Requirement: Old`\n- TO: `### Requirement: New`\n\n### {RULE}"
    assert not parse(text, "clock", delta=True).in_force


def test_a_short_purpose_is_said() -> None:
    document = parse(f"# Clock\n\n## Purpose\nWakes.\n\n## Requirements\n\n### {RULE}", "clock")
    assert any("shorter than" in issue.message for issue in validate(document))


@pytest.mark.parametrize(("text", "tag"), [("めざまし時計", "ja"), ("알람 시계", "ko"), ("闹钟", "zh"), ("clock", "")])
def test_the_language_of_a_text_is_told_by_its_script(text: str, tag: str) -> None:
    assert language(text) == tag


def test_hidden_folders_are_passed_over_and_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    for folder in (".git/a", "specs/b"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "spec.md").write_text("# Spec\n")
    assert [found.path.parent.name for found in find_specs(tmp_path)] == ["b"]
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_text(tmp_path / "gone.md")


def test_changes_are_listed_for_programs(client: Client, tmp_path: Path, settings: Settings) -> None:
    write_openspec(tmp_path / "full")
    settings.SPECS = str(tmp_path / "full")
    assert client.get("/specs/changes.json").json()
