"""Lists in a real browser: filters keep their place, keys find theirs again, copying works without the clipboard."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, OpenPage, until


def top(locator: Locator) -> float:
    return float(locator.evaluate("element => element.getBoundingClientRect().top"))


def test_a_filter_stays_in_its_place_focused_when_it_is_used(open_page: OpenPage) -> None:
    page = open_page("/papers/")
    page.locator("#by-author > summary").click()
    option = page.locator("#by-author").get_by_role("link", name="Ada Lovelace")
    option.evaluate("element => scrollBy(0, element.getBoundingClientRect().top - 200)")
    before = top(option)
    option.click()
    expect(page.locator(".chip", has_text="Ada Lovelace")).to_be_attached()
    expect(option).to_be_focused()
    assert abs(top(option) - before) < 2
    assert "#" not in page.url
    page.keyboard.press(" ")
    expect(page.locator(".chip")).to_have_count(0)
    expect(option).to_be_focused()
    assert abs(top(option) - before) < 2


def test_on_a_phone_the_filters_stay_open(open_page: OpenPage) -> None:
    page = open_page("/papers/", viewport=PHONE)
    page.locator("#filters > summary").click()
    option = page.locator("#by-keyword").get_by_role("link", name="topic 1")
    option.click()
    expect(page.locator(".chip")).to_have_count(1)
    expect(option).to_be_focused()
    expect(option).to_be_in_viewport()


def test_without_script_a_filter_leads_back_to_itself(open_page: OpenPage) -> None:
    page = open_page("/papers/", java_script_enabled=False, viewport=PHONE)
    page.locator("#filters > summary").click()
    page.locator("#by-keyword").get_by_role("link", name="topic 1").click()
    page.wait_for_url(re.compile(r"keyword=topic\+1#f-"))
    expect(page.locator("#by-keyword").get_by_role("link", name="topic 1")).to_be_in_viewport()


def test_two_values_of_a_facet_show_the_papers_of_both(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=networks&keyword=topic+1")
    shown = page.locator("#by-keyword .on")
    expect(shown).to_have_count(1)
    page.locator("#by-keyword").get_by_role("link", name="topic 2").click()
    expect(shown).to_have_count(2)
    expect(page.get_by_role("group", name="Active filters")).to_contain_text(re.compile(r"topic 1.*or.*topic 2", re.S))


def test_slash_selects_what_is_in_the_field(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=networks")
    page.keyboard.press("/")
    page.keyboard.type("memory")
    expect(page.get_by_label("Search papers")).to_have_value("memory")


def selected(page: Page) -> str:
    return page.locator('.hit[aria-current="true"] h3').inner_text()


def test_the_keys_know_their_place_after_back(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=networks")
    for _ in range(3):
        page.keyboard.press("j")
    third = selected(page)
    page.keyboard.press("o")
    expect(page.get_by_role("heading", level=1)).to_have_text(third)
    page.go_back()
    expect(page.locator('.hit[aria-current="true"] h3')).to_have_text(third)
    page.wait_for_load_state()
    page.keyboard.press("k")
    assert selected(page) == page.locator(".hit h3").nth(1).inner_text()


def test_a_paper_opened_by_hand_is_where_the_keys_go_on(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=networks")
    page.locator(".hit h3 a").nth(2).click()
    expect(page).to_have_url(re.compile("at=3"))
    page.go_back()
    expect(page.locator(".hit").nth(2)).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("width", [1000, 1280, 1600])
def test_a_text_without_an_outline_leaves_no_hole_beside_it(open_page: OpenPage, width: int) -> None:
    page = open_page("/papers/789/", viewport={"width": width, "height": 900})
    boxes = [page.locator(part).bounding_box() for part in ("h1", ".prose", ".meta-col")]
    title, text, facts = (box for box in boxes if box is not None)
    assert page.locator(".toc").count() == 0
    assert text["x"] == title["x"]
    assert 0 < facts["x"] - (text["x"] + text["width"]) < 150


def test_names_in_lists_are_shown_in_full(open_page: OpenPage) -> None:
    page = open_page("/by/venue/", viewport={"width": 160, "height": 800})
    cut = page.locator(".bars a").evaluate_all("links => links.filter(link => link.scrollWidth > link.clientWidth)")
    assert page.locator(".bars a").count() > 3
    assert cut == []


NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })"


def test_copy_works_on_plain_http_which_has_no_clipboard(open_page: OpenPage) -> None:
    page = open_page("/")
    page.add_init_script(NO_CLIPBOARD)
    page.reload()
    button = page.get_by_role("button", name="Copy MCP endpoint")
    button.click()
    expect(page.get_by_role("button", name="Copied")).to_be_focused()
    field = page.get_by_label("Search papers")
    field.focus()
    page.keyboard.press("Control+v")
    expect(field).to_have_value(re.compile(r"^http.*/mcp$"))


def test_where_the_browser_refuses_to_copy_the_text_is_selected_and_it_says_so(open_page: OpenPage) -> None:
    page = open_page("/")
    page.add_init_script(f"{NO_CLIPBOARD}; Document.prototype.execCommand = () => false")
    page.reload()
    page.get_by_role("button", name="Copy MCP endpoint").click()
    expect(page.locator("#announce")).to_have_text("Selected: copy it with Ctrl+C")
    until(page, lambda: str(page.evaluate("getSelection().toString()")).strip().endswith("/mcp"))


def test_a_slip_is_mended_and_one_click_searches_as_typed(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=netwroks")
    expect(page.locator(".corrected")).to_contain_text("Showing results for networks; search instead for netwroks")
    expect(page.locator(".hit").first).to_be_visible()
    page.locator(".corrected").get_by_role("link", name="netwroks").click()
    expect(page).to_have_url(re.compile("as_typed=1"))
    expect(page.locator(".corrected")).to_have_count(0)


def test_on_a_phone_the_first_paper_is_near_the_top_and_search_help_one_key_away(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=networks", viewport=PHONE)
    assert top(page.locator(".hit").first) <= 400
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("year:2019..2021")


def test_a_question_typed_on_the_home_page_reaches_the_evidence(open_page: OpenPage) -> None:
    page = open_page("/")
    page.locator("#q").fill("networks")
    page.get_by_role("button", name="Ask for evidence").click()
    expect(page).to_have_url(re.compile(r"/ask/\?q=networks"))
