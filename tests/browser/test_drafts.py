"""A person checks a thesis chapter: drops it, reads it beside the papers, decides, and brings the next version."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from papers.snapshot import served
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.looks import looks_right
from tests.papers.drafts import THESIS
from tests.papers.drafts.conftest import demo_papers  # noqa: F401 - a fixture

DROP = """([box, given]) => {
  const files = new DataTransfer();
  for (const [name, text] of given) files.items.add(new File([text], name, {type: "text/plain"}));
  box.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}));
}"""
NOTE = """Residual networks are deep.

A 56-layer plain network ends with a lower training error than one of 20 layers [@he2016deep].
"""


@pytest.fixture
def demo_library(demo_papers: Path, tmp_path: Path, settings: Settings, served_library: None) -> Iterator[None]:  # noqa: F811
    settings.SNAPSHOT, settings.ASSETS = demo_papers, str(demo_papers.parent / "static")
    settings.DATA = tmp_path / "data"
    served.renew()
    yield
    served.renew()


def chapter() -> list[list[str]]:
    """Without its folders, as a browser gives dropped files."""
    return [[path.name, path.read_text(encoding="utf-8")] for path in sorted(THESIS.rglob("*.*"))]


def drop_and_check(page: Page, files: list[list[str]]) -> None:
    page.evaluate(DROP, [page.locator("[data-drop]").element_handle(), files])
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".draft")).to_be_visible(timeout=120_000)


@pytest.mark.usefixtures("demo_library")
def test_a_chapter_is_dropped_read_by_keyboard_and_decided_and_the_next_version_shows_what_changed(
    open_page: OpenPage,
) -> None:
    page = open_page("/check/")
    drop_and_check(page, chapter())
    score = page.locator(".draft li", has_text="On WMT 2014 translation")
    expect(score.locator(".sentence mark")).to_have_text("29.4")
    expect(score.locator(".passage mark")).to_have_text("28.4")
    looks_right(page)
    page.get_by_role("link", name="To look at").click()
    expect(page.get_by_role("link", name="To look at")).to_have_attribute("aria-current", "page")
    findings = page.locator(".draft .finding")
    page.keyboard.press("j")
    expect(findings.first).to_be_focused()
    page.keyboard.press("j")
    expect(findings.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(findings.first).to_be_focused()
    for number in range(findings.count()):
        button = findings.nth(number).get_by_role("button", name="Leave it")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
    page.goto("/check/")
    changed = [[name, text.replace("than one of 20 layers", "than one of 18 layers")] for name, text in chapter()]
    changed = [[name, text.replace("29.4", "27.4")] for name, text in changed]
    page.evaluate(DROP, [page.locator("[data-drop]").element_handle(), changed])
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_role("link", name="Changed")).to_have_attribute("aria-current", "page", timeout=120_000)
    expect(page.locator(".draft .sentence")).to_have_count(1)
    expect(page.locator(".draft .sentence mark")).to_have_text("27.4")


@pytest.mark.usefixtures("demo_library")
def test_the_key_of_a_paper_that_says_it_is_copied(open_page: OpenPage) -> None:
    page = open_page("/check/", permissions=["clipboard-read", "clipboard-write"])
    drop_and_check(page, chapter())
    page.get_by_role("button", name="Copy key").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.goto("/check/")
    field = page.locator("#text")
    field.focus()
    page.keyboard.press("Control+V")
    expect(field).to_have_value("he2016deep")


@pytest.mark.usefixtures("demo_library")
def test_without_script_on_a_phone_it_is_a_list_and_decisions_are_kept(open_page: OpenPage) -> None:
    page = open_page("/check/", java_script_enabled=False, viewport=PHONE)
    page.locator("#text").fill(NOTE)
    page.locator("#bibliography").fill((THESIS / "refs.bib").read_text(encoding="utf-8"))
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".draft")).to_be_visible(timeout=120_000)
    sentence, said = page.locator(".sentence").nth(1).bounding_box(), page.locator(".said").bounding_box()
    assert sentence
    assert said
    assert said["y"] >= sentence["y"] + sentence["height"]
    assert said["x"] + said["width"] <= PHONE["width"]
    page.get_by_role("button", name="Fixed").first.click()
    expect(page.locator(".finding").first.get_by_role("button", name="Fixed")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Delete this check").click()
    expect(page.get_by_role("heading", name="Check a draft")).to_be_visible()
