"""Diagrams, formulas and sheets as a reader sees them: on every screen, in both themes, on paper."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, OpenPage
from tests.browser.looks import too_wide

SIDE_BY_SIDE = "/papers/123/side-by-side/?left=source&right=translation:de"


def test_a_diagram_that_was_hidden_is_drawn_when_it_is_shown(open_page: OpenPage) -> None:
    page = open_page(SIDE_BY_SIDE, viewport=PHONE, color_scheme="light")
    left = page.frame_locator("iframe.diagram >> nth=0")
    expect(left.locator("svg#light")).to_be_attached(timeout=20_000)
    choices = page.get_by_role("radiogroup", name="Text to show")
    choices.get_by_text("German").click()
    page.get_by_label("Dark").check()
    choices.get_by_text("Both").click()
    expect(left.locator("svg#dark")).to_be_visible(timeout=20_000)


def test_a_diagram_can_be_enlarged_and_escape_closes_it(open_page: OpenPage) -> None:
    page = open_page("/papers/123/source/")
    box = page.locator(".diagram-box")
    page.get_by_role("button", name="Enlarge").click()
    assert box.evaluate("box => [box.clientWidth, box.clientHeight]") == [DESK["width"], DESK["height"]]
    expect(page.frame_locator("iframe.diagram").locator(".large svg")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Enlarge")).to_be_visible()
    expect(page.frame_locator("iframe.diagram").locator("html:not(.large) svg")).to_be_visible()


def test_a_diagram_is_printed_light_in_the_dark_theme(open_page: OpenPage) -> None:
    page = open_page("/papers/123/source/", color_scheme="dark")
    frame = page.frame_locator("iframe.diagram")
    expect(frame.locator("svg#light")).to_be_attached(timeout=20_000)
    expect(frame.locator("svg#light")).to_be_hidden()
    page.emulate_media(media="print", color_scheme="dark")
    expect(frame.locator("svg#light")).to_be_visible()
    expect(frame.locator("svg#dark")).to_be_hidden()


def test_the_font_for_formulas_is_loaded_only_where_a_page_has_one(open_page: OpenPage) -> None:
    page = open_page("/stats/")
    fonts: list[str] = []
    page.on("request", lambda request: fonts.append(request.url) if request.resource_type == "font" else None)
    page.goto("/connect/")
    page.wait_for_load_state("networkidle")
    assert fonts == []
    page.goto("/papers/123/source/")
    page.wait_for_load_state("networkidle")
    assert [url.rsplit("/", 1)[1].split(".")[0] for url in fonts] == ["STIXTwoMath-common"]


@pytest.mark.parametrize("width", [390, 320])
def test_the_sheet_with_citations_and_the_basket_fit_a_phone(open_page: OpenPage, width: int) -> None:
    page = open_page("/papers/123/?cite", viewport={"width": width, "height": 800})
    sheet = page.get_by_role("dialog", name="Cite this paper")
    assert sheet.evaluate("sheet => sheet.scrollWidth - sheet.clientWidth") <= 0
    labels = sheet.locator(".tabset > label").all()
    assert len({round(label.bounding_box()["y"]) for label in labels}) == 1  # type: ignore[index]  # it is visible
    page.goto("/papers/?q=networks")
    expect_in_window(page, ".hit [data-basket]")
    assert too_wide(page) <= 0


def expect_in_window(page: Page, selector: str) -> None:
    ends = page.locator(selector).evaluate_all("all => all.map((element) => element.getBoundingClientRect().right)")
    assert ends
    assert max(ends) <= page.viewport_size["width"]  # type: ignore[index]  # it has one
