"""The pages of the specs in a real browser: accessible, narrow enough, and walked through as a person would."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pytest_django import Settings

from papersite.command.commands import call_command
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.looks import looks_right
from tests.specs.folders import DELTA, MAIN, write, write_openspec

PAGES = [
    "/specs/",
    "/specs/openspec/alarm-clock/",
    "/specs/openspec/odd/",
    "/specs/search/?q=silent+for+nine+minutes",
    "/specs/changes/",
    "/specs/changes/openspec/gentler-waking/",
    "/specs/warnings/",
]
ODD = """# 导出

## Requirements

### Requirement: A table and code
It SHALL hold:

| a | b |
|---|---|
| a_very_long_identifier_that_does_not_break_anywhere_at_all | another_very_long_identifier_without_any_break_in_it |

```json
{"a": "a line of code that is much longer than a phone is wide, so that it has to scroll by itself"}
```

- one
  - two

#### Scenario: Prose only
Some words, and `a_very_long_identifier_that_does_not_break_anywhere_at_all_in_inline_code_either`.

### Requirement: 导出文献
系统 SHALL 导出全部文献条目。

#### Scenario: 空列表
- **WHEN** 没有条目
- **THEN** 返回空文件:
  - 没有错误
"""


@pytest.fixture(autouse=True)
def specs(tmp_path: Path, settings: Settings, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = write_openspec(tmp_path / "openspec")
    settings.SPECS, settings.DATA = str(folder), tmp_path / "data"
    write(folder, {"specs/odd/spec.md": ODD})
    call_command("build_spec_index")
    return folder


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_in_either_theme_and_nothing_scrolls_sideways(open_page: OpenPage, path: str) -> None:
    looks_right(open_page(path))


def test_without_script_a_reader_searches_and_lands_on_the_requirement(open_page: OpenPage) -> None:
    page = open_page("/specs/", java_script_enabled=False)
    page.get_by_label("Search all specs").fill("silent for nine minutes when tapped")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("link", name="Snooze").click()
    expect(page).to_have_url(re.compile("/specs/openspec/alarm-clock/#snooze$"))
    expect(page.get_by_role("heading", name="Snooze")).to_be_in_viewport()


def test_the_outline_leads_to_a_scenario_and_the_mark_to_its_change(open_page: OpenPage) -> None:
    page = open_page("/specs/openspec/alarm-clock/")
    page.get_by_role("navigation", name="Requirements").get_by_role("link", name="A holiday").click()
    expect(page.locator(".scenario:target")).to_contain_text("nothing rings")
    page.get_by_role("link", name="1 open change").click()
    page.get_by_role("link", name="gentler-waking").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Gentler waking")


def test_a_long_line_of_a_change_is_read_without_scrolling(open_page: OpenPage, specs: Path) -> None:
    delta = DELTA.replace("five minutes when it is tapped", "five minutes, " + "or for as long as was chosen, " * 6)
    write(specs, {"changes/gentler-waking/specs/alarm-clock/spec.md": delta})
    page = open_page("/specs/openspec/alarm-clock/", viewport=PHONE)
    difference = page.get_by_role("region", name="What changes in Snooze").element_handle()
    assert page.evaluate("shown => shown.scrollWidth - shown.clientWidth", difference) <= 0


def test_an_edit_shows_at_the_next_load(open_page: OpenPage, specs: Path) -> None:
    page = open_page("/specs/openspec/alarm-clock/")
    write(specs, {"specs/alarm-clock/spec.md": MAIN.replace("# Alarm clock", "# Cuckoo clock")})
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cuckoo clock")


def test_a_hostile_spec_runs_nothing(open_page: OpenPage, specs: Path) -> None:
    text = "<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3))"
    write(specs, {"specs/evil/spec.md": f"# {text}\n## Requirements\n### Requirement: {text}\n{text}\n"})
    page = open_page("/specs/openspec/evil/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("onerror")


@pytest.mark.parametrize("path", [path for path in PAGES if "?" not in path])
def test_slash_goes_to_the_search_in_the_specs(open_page: OpenPage, path: str) -> None:
    page = open_page(path)
    page.keyboard.press("/")
    expect(page.get_by_label("Search all specs").or_(page.get_by_label("Search the specs of"))).to_be_focused()
