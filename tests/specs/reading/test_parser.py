"""The reader takes what people write, and says what is odd about it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specs.reading.document import SpecDocument
from specs.reading.parser import parse
from tests.specs.folders import DELTA, MAIN

TOP = "# Title\n\n## Purpose\n\nA purpose.\n\n## Requirements\n\n"


def names(document: SpecDocument) -> dict[str, list[str]]:
    return {item.name: [scenario.name for scenario in item.scenarios] for item in document.in_force}


def codes(document: SpecDocument) -> list[tuple[str, int]]:
    return [(notice.code, notice.line) for notice in document.notices]


def test_a_plain_spec_is_read_whole() -> None:
    document = parse(MAIN, "alarm-clock")
    assert document.title == "Alarm clock"
    assert document.purpose.startswith("Wakes people")
    assert names(document) == {"Rings on time": ["A weekday", "A holiday"], "Snooze": ["Tapped once"]}
    assert document.in_force[0].text == "The clock SHALL ring at the chosen minute."
    assert document.notices == ()


@pytest.mark.parametrize(
    "text",
    [MAIN, "\ufeff" + MAIN, MAIN.replace("\n", "\r\n"), MAIN.replace("\n", "\r")],
    ids=["lf", "bom", "crlf", "cr"],
)
def test_line_ends_and_byte_order_mark_change_nothing(text: str) -> None:
    assert parse(text, "alarm-clock") == parse(MAIN, "alarm-clock")


def test_and_before_then_belongs_to_the_clause_before_it() -> None:
    scenario = parse(MAIN, "alarm-clock").in_force[0].scenarios[0]
    assert scenario.texts("given") == ["an alarm at 07:00 on weekdays"]
    assert scenario.texts("when") == ["it is Monday", "the time is 07:00"]
    assert scenario.texts("then") == ["the clock rings", "the display lights up"]


def test_five_hash_scenarios_directly_under_a_requirement_count_and_are_noticed() -> None:
    document = parse(TOP + "### Requirement: R\nIt SHALL.\n##### Scenario: deep\n- WHEN a\n- THEN b\n", "x")
    assert names(document) == {"R": ["deep"]}
    assert codes(document) == [("heading_level", 11)]


def test_a_requirement_at_another_level_counts_and_is_noticed() -> None:
    document = parse(TOP + "## Requirement: R\nIt SHALL.\n### Scenario: s\n- WHEN a\n", "x")
    assert names(document) == {"R": ["s"]}
    assert codes(document) == [("heading_level", 9)]


def test_an_empty_purpose_is_noticed() -> None:
    assert codes(parse(TOP.replace("A purpose.", ""), "x")) == [("no_purpose", 3)]


def test_a_deeper_heading_inside_a_scenario_is_part_of_it() -> None:
    text = TOP + "### Requirement: R\nIt SHALL.\n#### Scenario: s\n- WHEN a\n##### Example\n- THEN b\n"
    assert names(parse(text, "x")) == {"R": ["s"]}
    assert "##### Example" in parse(text, "x").in_force[0].scenarios[0].body


def test_headings_in_fences_are_text() -> None:
    fenced = "````md\n### Requirement: not one\n```\n#### Scenario: nor this\n````\n"
    document = parse(TOP + "### Requirement: R\nIt SHALL.\n" + fenced + "#### Scenario: s\n- WHEN a\n", "x")
    assert names(document) == {"R": ["s"]}
    assert "not one" in document.in_force[0].text


def test_a_fence_that_never_closes_is_noticed() -> None:
    document = parse(TOP + "### Requirement: R\nIt SHALL.\n#### Scenario: s\n- WHEN a\n~~~\n### Requirement: Q\n", "x")
    assert names(document) == {"R": ["s"]}
    assert codes(document) == [("open_fence", 13)]


def test_front_matter_and_comments_are_no_text() -> None:
    text = "---\n# not the title\n---\n" + TOP.replace("A purpose.", "<!-- to\nwrite -->\nA purpose.")
    document = parse(text, "x")
    assert (document.title, document.purpose) == ("Title", "A purpose.")


def test_a_requirement_in_a_comment_counts_as_for_the_reference_reader_and_is_noticed() -> None:
    document = parse(TOP + "<!--\n### Requirement: R\nIt SHALL.\n#### Scenario: s\n- WHEN a\n-->\n", "x")
    assert names(document).keys() == {"R"}
    assert ("commented", 10) in codes(document)


def test_doubled_names_are_kept_and_noticed() -> None:
    block = "### Requirement: R\nIt SHALL.\n#### Scenario: s\n- WHEN a\n#### Scenario: s\n- WHEN b\n"
    document = parse(TOP + block + block, "x")
    assert [item.name for item in document.in_force] == ["R", "R"]
    assert [code for code, _ in codes(document)] == [
        "duplicate_scenario",
        "duplicate_requirement",
        "duplicate_scenario",
    ]


def test_headings_are_read_in_any_case_with_closing_hashes_and_without_a_space() -> None:
    text = "## purpose\nP\n## REQUIREMENTS ##\n###requirement: One ###\nMUST.\n#### scenario: s ####\n- WHEN a\n"
    document = parse(text, "x")
    assert names(document) == {"One": ["s"]}
    assert document.title == "x"


def test_a_hash_that_belongs_to_the_name_stays() -> None:
    assert names(parse(TOP + "### Requirement: Use C#\nIt SHALL.\n", "x")) == {"Use C#": []}


def test_a_level_four_heading_without_a_body_is_no_scenario() -> None:
    document = parse(TOP + "### Requirement: R\nIt SHALL.\n#### Scenario: empty\n\n#### Note\ntext\n", "x")
    assert names(document) == {"R": ["Note"]}
    assert codes(document) == [("empty_scenario", 11)]


def test_a_main_spec_with_delta_sections_is_served_with_notices() -> None:
    document = parse(DELTA, "x")
    assert list(names(document)) == ["Vibrates", "Snooze"]
    assert [code for code, _ in codes(document)].count("delta_section") == 3


def test_a_requirement_outside_its_section_is_served_with_a_notice() -> None:
    document = parse("## Notes\n### Requirement: R\nIt SHALL.\n#### Scenario: s\n- WHEN a\n", "x")
    assert names(document) == {"R": ["s"]}
    assert codes(document) == [("no_purpose", 1), ("outside_section", 2)]


def test_a_heading_with_scenarios_but_without_the_word_requirement_is_served_with_a_notice() -> None:
    document = parse(TOP + "### Rings\nIt SHALL.\n#### Scenario: s\n- WHEN a\n### Divider\n", "x")
    assert names(document) == {"Rings": ["s"]}
    assert codes(document) == [("stray_heading", 9), ("stray_heading", 13)]


def test_a_scenario_without_a_requirement_is_noticed() -> None:
    assert codes(parse(TOP + "#### Scenario: lost\n- WHEN a\n", "x")) == [("stray_scenario", 9), ("by_sections", 9)]


def test_a_delta_is_read_by_kind() -> None:
    document = parse(DELTA, "x", delta=True)
    assert [item.name for item in document.in_section("added")] == ["Vibrates"]
    assert [item.name for item in document.in_section("modified")] == ["Snooze"]
    assert [item.name for item in document.in_section("removed")] == ["Shows the moon"]
    assert [(item.old, item.new) for item in document.renames] == [("Rings on time", "Rings to the minute")]
    assert document.notices == ()


def test_repeated_delta_sections_merge_and_removals_may_have_reasons() -> None:
    block = "## ADDED Requirements\n### Requirement: {}\nIt SHALL.\n#### Scenario: s\n- WHEN a\n"
    removed = "## removed requirements\n### Requirement: Old\n**Reason**: nobody used it\n"
    document = parse(block.format("A") + removed + block.format("B"), "x", delta=True)
    assert [item.name for item in document.in_section("added")] == ["A", "B"]
    assert document.in_section("removed")[0].text == "**Reason**: nobody used it"


def test_rename_lines_without_a_partner_are_noticed_not_guessed() -> None:
    lines = "- FROM: `### Requirement: A`\n- FROM: ### Requirement: B\n* TO: ### Requirement: C\nTO: D\n"
    document = parse("## RENAMED Requirements\n" + lines, "x", delta=True)
    assert [(item.old, item.new) for item in document.renames] == [("B", "C")]
    assert codes(document) == [("unpaired_rename", 2), ("unpaired_rename", 5)]


def test_a_requirement_heading_under_renamed_is_no_requirement() -> None:
    renames = "- FROM: `### Requirement: Old`\n- TO: `### Requirement: New`\n"
    document = parse(f"## RENAMED Requirements\n{renames}### Requirement: New\nIt SHALL.\n", "x", delta=True)
    assert document.requirements == ()


def test_a_hostile_file_has_a_bounded_number_of_notices() -> None:
    assert len(parse("#### Scenario: lost\n" * 5000, "x").notices) == 100


def test_ten_megabytes_are_read() -> None:
    clause = "- **THEN** something happens that takes a while to say, and to read as well\n"
    text = TOP + "### Requirement: R\nIt SHALL.\n#### Scenario: s\n" + clause * (10_000_000 // len(clause))
    assert len(parse(text, "x").in_force[0].scenarios[0].clauses) > 100_000


PIECES = [
    "#",
    "###",
    " Requirement:",
    " Scenario:",
    "\n",
    "\r",
    "```",
    "~~~",
    "<!--",
    "-->",
    "---\n",
    "- **WHEN** ",
    "x",
    "**",
]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=200))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    for delta in (False, True):
        document = parse(text, "x", delta=delta)
        assert all(1 <= notice.line <= text.count("\n") + text.count("\r") + 1 for notice in document.notices)


def test_a_file_that_leaves_its_template_is_served_by_its_sections() -> None:
    text = "# 导出\n\n## 目标\n\n导出文献。\n\n## 空\n\n## 细节\n\n每次导出一个文件。\n"
    document = parse(text, "x")
    assert [(item.name, item.text) for item in document.in_force] == [
        ("目标", "导出文献。"),
        ("细节", "每次导出一个文件。"),
    ]
    assert document.by_sections
    assert document.requirement_count == 0
    assert "by_sections" in [code for code, _ in codes(document)]
