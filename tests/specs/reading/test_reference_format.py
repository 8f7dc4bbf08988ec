"""What OpenSpec 1.13 takes: stores, scenarios of any level-4 heading, fenced examples, marks at the start, purposes."""

from pathlib import Path

import pytest
from pytest_django import Settings

from specs import core, tools
from specs.reading.parser import parse
from specs.reading.validation import validate
from tests.specs.folders import LAMP, MAIN, write
from tests.specs.pages.client import page

KETTLE = """# Kettle

## Purpose

Boils the water for one cup or for a pot, and stops by itself before the kitchen fills with steam.

## Requirements

### Requirement: Stops boiling

The kettle SHALL switch itself off within ten seconds of boiling. In a spec this is written as:

```markdown
### Requirement: An example in a fence
#### Scenario: That nobody tests
- **WHEN** it is read
```

#### Scenario: A full kettle

- **WHEN** two litres boil
- **THEN** it is off within ten seconds

#### At high altitude

- **WHEN** the water boils at 90 degrees
- **THEN** it is off, too
"""
NEW_SPEC = """## Purpose

Tells people in the next room that the water is ready, without waking those in the room after that.

## ADDED Requirements

### Requirement: Whistles once

The kettle SHALL whistle for one second.

~~~text
## MODIFIED Requirements
### Requirement: Not a change
~~~

#### Edge: nobody comes

- **WHEN** a minute passes
- **THEN** it stays silent
"""
CHINESE = """# 闹钟

## 目的

在用户选定的时间叫醒用户。

## 需求

### 需求：准时响铃

闹钟必须（SHALL）在选定的那一分钟响铃。

#### 场景：工作日

- **当** 星期一早上七点
- **那么** 闹钟响铃

### 需求: 贪睡

闹钟必须（SHALL）安静九分钟。

#### 场景: 轻触一次

- **当** 响铃时被轻触
- **那么** 安静九分钟
"""


def test_a_store_is_served_like_a_project_even_before_it_has_any_spec(tmp_path: Path, settings: Settings) -> None:
    store = write(
        tmp_path / "team-plans",
        {
            ".openspec-store/store.yaml": "id: team-plans\n",
            "openspec/config.yaml": "schema: spec-driven\n",
            "docs/spec.md": LAMP,
        },
    )
    settings.SPECS = str(store)
    assert core.parse_all_specs() == []
    assert core.all_notices() == []
    write(store, {"openspec/specs/kitchen/kettle/spec.md": KETTLE, "openspec/changes/whistle/proposal.md": "# Whistle"})
    assert [spec.id for spec in core.parse_all_specs()] == ["kitchen/kettle"]
    assert [change.id for change in core.get_changes()] == ["whistle"]


def test_a_project_whose_specs_are_in_a_store_says_so_until_it_has_its_own(tmp_path: Path, settings: Settings) -> None:
    project = write(tmp_path / "web", {"openspec/config.yaml": "schema: x\nstore: team-plans\n", "lib/a/spec.md": LAMP})
    settings.SPECS = str(project)
    assert core.parse_all_specs() == []
    (notice,) = core.all_notices()
    assert "“team-plans”" in notice.notice.message
    assert "team-plans" in page("/specs/warnings/")
    write(project, {"openspec/specs/kettle/spec.md": KETTLE})
    assert [spec.id for spec in core.parse_all_specs()] == ["kettle"]
    assert core.all_notices() == []


def test_every_level_four_heading_with_steps_is_a_scenario_and_a_fenced_example_is_text() -> None:
    document = parse(KETTLE, "kettle")
    (requirement,) = document.in_force
    assert [scenario.name for scenario in requirement.scenarios] == ["A full kettle", "At high altitude"]
    assert requirement.scenarios[1].texts("then") == ["it is off, too"]
    assert "An example in a fence" in requirement.text
    assert document.notices == ()
    assert validate(document) == []


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path, settings: Settings) -> None:
    folder = write(tmp_path / "openspec", {"specs/plain/spec.md": MAIN, "specs/marked/spec.md": ""})
    (folder / "specs/marked/spec.md").write_bytes(b"\xef\xbb\xbf" + MAIN.replace("\n", "\r\n").encode())
    settings.SPECS = str(folder)
    plain, marked = (core.get_spec_by_id(name).document for name in ("plain", "marked"))
    assert plain == marked


def test_a_delta_may_begin_with_the_purpose_of_a_new_spec(tmp_path: Path, settings: Settings) -> None:
    settings.SPECS = str(write(tmp_path / "openspec", {"changes/whistle/specs/kettle-whistle/spec.md": NEW_SPEC}))
    change = tools.get_change("whistle")
    assert change.warnings == []
    assert change.purposes["kettle-whistle"].startswith("Tells people in the next room")
    assert [(item.name, item.scenarios) for item in change.added_requirements] == [
        ("Whistles once", ["Edge: nobody comes"])
    ]
    assert change.modified_requirements == []
    assert "Tells people in the next room" in page("/specs/changes/openspec/whistle/")


def test_the_purpose_in_a_delta_of_a_spec_that_exists_is_not_shown(tmp_path: Path, settings: Settings) -> None:
    files = {"changes/whistle/specs/kettle/spec.md": NEW_SPEC, "specs/kettle/spec.md": KETTLE}
    settings.SPECS = str(write(tmp_path / "openspec", files))
    assert tools.get_change("whistle").purposes == {}
    assert "Tells people in the next room" not in page("/specs/changes/openspec/whistle/")


@pytest.mark.parametrize(
    "text", [CHINESE, CHINESE.replace("需求", "要件").replace("场景", "シナリオ"), CHINESE.replace("场景", "場景")]
)
def test_chinese_and_japanese_headings_are_purpose_requirement_and_scenario(text: str) -> None:
    document = parse(text, "x")
    assert document.purpose == "在用户选定的时间叫醒用户。"
    assert document.requirement_count == 2
    assert not document.by_sections
    assert [item.name for item in document.in_force] == ["准时响铃", "贪睡"]
    scenario = document.in_force[0].scenarios[0]
    assert (scenario.name, scenario.texts("when"), scenario.texts("then")) == (
        "工作日",
        ["星期一早上七点"],
        ["闹钟响铃"],
    )


def test_a_change_in_chinese_is_read_by_kind(tmp_path: Path, settings: Settings) -> None:
    block = "### 需求: {}\n闹钟必须安静。\n#### 场景: 夜里\n- **当** 夜深了\n- **则** 安静\n"
    delta = (
        f"## 新增需求\n{block.format('振动')}## 修改需求\n{block.format('贪睡')}"
        "## 移除需求\n### 需求：月相\n**原因**：没人用\n"
        "## 重命名需求\n- FROM: `### 需求:响铃`\n- TO: `### 需求:准时响铃`\n"
    )
    proposal = "# 更温柔的唤醒\n\n## 为什么\n\n噪音让人生气。\n\n## 变更内容\n\n- 先振动。\n"
    files = {"changes/gentle/specs/clock/spec.md": delta, "changes/gentle/proposal.md": proposal}
    settings.SPECS = str(write(tmp_path / "openspec", files))
    change = tools.get_change("gentle")
    assert (change.why, change.what_changes) == ("噪音让人生气。", "- 先振动。")
    assert [item.name for item in change.added_requirements] == ["振动"]
    assert [item.name for item in change.modified_requirements] == ["贪睡"]
    assert [(item.name, item.description) for item in change.removed_requirements] == [("月相", "**原因**：没人用")]
    assert [(item.old_name, item.new_name) for item in change.renamed_requirements] == [("响铃", "准时响铃")]


def test_headings_that_the_reference_reader_drops_are_told_once_and_make_the_spec_invalid() -> None:
    document = parse(CHINESE, "x")
    assert [(notice.code, notice.line) for notice in document.notices] == [("translated", 3)]
    errors = [issue.line for issue in validate(document) if issue.level == "error"]
    assert errors == [3]
