"""What helps a reader to find: names and corrections above the papers, suggestions, and a bar that names the paper."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.looks import violations


@pytest.mark.parametrize(
    "query",
    [
        "q=networks",
        "q=netwroks",
        "q=netwroks&author=Ada+Lovelace&year_from=1991&year_to=2019&keyword=networks",
        "q=netwroks+by+Lovelace+since+1991",
    ],
)
def test_on_a_phone_the_first_paper_is_in_view_whatever_was_mended_or_filtered(open_page: OpenPage, query: str) -> None:
    page = open_page(f"/papers/?{query}", viewport=PHONE)
    if "netwroks" in query:
        expect(page.get_by_text("search instead for")).to_be_visible()
    box = page.locator(".hit h3").first.bounding_box()
    assert box is not None
    assert box["y"] <= 400


def test_an_author_is_a_hit_that_leads_to_the_papers(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=Lovelace")
    people = page.get_by_role("region", name="Authors of this name")
    expect(people).to_contain_text("author, 30 papers")
    people.get_by_role("link", name="Ada Lovelace").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("30 papers")
    expect(page.locator(".chip", has_text="Ada Lovelace")).to_be_visible()


def test_while_reading_a_bar_names_the_paper_and_cites_it(open_page: OpenPage) -> None:
    page = open_page("/papers/123/source/")
    bar = page.get_by_role("region", name="This paper")
    expect(bar).to_be_hidden()
    page.get_by_role("heading", name="Section 8").scroll_into_view_if_needed()
    expect(bar).to_contain_text("Attention Is All You Need")
    bar.get_by_role("link", name="Cite").click()
    expect(page.get_by_role("dialog", name="Cite")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(bar).to_be_hidden()
    expect(page.get_by_label("Search papers")).to_be_in_viewport()


def test_suggestions_are_chosen_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/")
    field = page.get_by_role("combobox", name="Search papers")
    field.press_sequentially("lovel")
    first = page.get_by_role("option").first
    expect(first).to_have_text(re.compile("Ada Lovelace.*author, 30 papers", re.DOTALL))
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#announce")).to_have_text("1 suggestion")
    field.press("ArrowDown")
    expect(first).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", str(first.get_attribute("id")))
    assert violations(page) == ""
    field.press("Escape")
    expect(first).to_be_hidden()
    expect(field).to_have_value("lovel")
    field.press("ArrowDown")
    expect(first).to_be_visible()
    field.press("ArrowDown")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"/papers/\?author=Ada\+Lovelace$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("30 papers")


def test_suggestions_are_chosen_by_pointer_and_typing_on_searches_for_the_words(open_page: OpenPage) -> None:
    page = open_page("/stats/")
    field = page.get_by_role("combobox", name="Search papers")
    field.press_sequentially("topic 1")
    page.get_by_role("option", name="topic 1").click()
    expect(page.locator(".chip", has_text="topic 1")).to_be_visible()
    page = open_page("/")
    field = page.get_by_role("combobox", name="Search papers")
    field.press_sequentially("attention")
    expect(page.get_by_role("option").first).to_be_visible()
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"/papers/\?q=attention$"))


def test_where_the_list_follows_the_typing_the_arrow_asks_for_suggestions(open_page: OpenPage) -> None:
    page = open_page("/papers/")
    field = page.get_by_role("combobox", name="Search papers")
    field.press_sequentially("lovelace")
    expect(page.get_by_role("region", name="Authors of this name")).to_be_visible()
    expect(page.get_by_role("option").first).to_be_hidden()
    field.press("ArrowDown")
    expect(page.get_by_role("option").first).to_be_visible()
    field.press("Tab")
    expect(page.get_by_role("option").first).to_be_hidden()


def test_without_script_the_search_box_is_a_plain_field(open_page: OpenPage) -> None:
    page = open_page("/", java_script_enabled=False)
    field = page.get_by_role("searchbox", name="Search papers")
    field.fill("lovelace")
    field.press("Enter")
    expect(page.get_by_role("region", name="Authors of this name")).to_contain_text("30 papers")


@pytest.mark.parametrize("how", ["?", "button"])
def test_search_help_is_one_key_or_one_tap_away(open_page: OpenPage, how: str) -> None:
    page = open_page("/papers/?q=networks", viewport=PHONE)
    if how == "?":
        page.keyboard.press("?")
    else:
        page.get_by_role("button", name="Search help").click()
    expect(page.get_by_role("dialog").get_by_text("these words in this order")).to_be_visible()
