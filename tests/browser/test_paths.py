"""The paths a person takes through the library."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, OpenPage

APART = "(left, right) => left.getBoundingClientRect().top - right.getBoundingClientRect().top"


def test_results_follow_the_typing_and_enter_gives_a_page(open_page: OpenPage) -> None:
    page = open_page("/papers/")
    page.get_by_label("Search papers").press_sequentially("transformer", delay=10)
    expect(page.get_by_role("heading", level=1)).to_have_text("2 papers for “transformer”")
    expect(page.locator("#announce")).to_have_text("2 papers")
    expect(page).to_have_url(re.compile(r"/papers/\?q=transformer$"))
    expect(page.get_by_label("Search papers")).to_have_value("transformer")
    page.get_by_label("Search papers").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("2 papers for “transformer”")


def test_filters_and_years_combine_with_the_words_and_come_off_again(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=networks")
    page.get_by_role("link", name="topic 1").click()
    expect(page.locator(".chip")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_contain_text("papers for “networks”")
    page.get_by_label("From").fill("2000")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".chip")).to_have_count(2)
    expect(page).to_have_url(re.compile("q=networks.*year_from=2000"))
    page.get_by_role("link", name="year 2000 to now").click()
    expect(page.locator(".chip")).to_have_count(1)
    page.get_by_role("link", name="1995: 1 paper").click()
    expect(page.locator(".chip", has_text="1995")).to_be_visible()


def test_sorting_keeps_the_words(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=networks")
    page.get_by_label("Sort by").select_option("oldest")
    expect(page.locator(".hit .when").first).to_contain_text("1990")
    expect(page).to_have_url(re.compile("q=networks"))


def test_a_reader_opens_a_paper_switches_template_and_walks_on(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=transformer")
    page.get_by_role("link", name="Attention Is All You Need").click()
    page.get_by_role("link", name="Deep read").click()
    expect(page.get_by_role("article", name="Summary")).to_contain_text("Scaled")
    page.go_back()
    page.get_by_role("navigation", name="Papers in the list").get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("BERT")


def test_the_source_shows_math_tables_code_a_picture_and_a_diagram(open_page: OpenPage) -> None:
    page = open_page("/papers/123/source/")
    expect(page.locator(".prose math[display=block] mtr")).to_have_count(2)
    expect(page.get_by_role("columnheader", name="layer")).to_be_visible()
    expect(page.locator(".prose .code .k").first).to_have_text("def")
    picture = page.get_by_alt_text("A black dot")
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("naturalWidth", 1)
    frame = page.frame_locator("iframe.diagram")
    expect(frame.locator("svg")).to_contain_text("Query", timeout=20_000)
    drawn = page.locator("iframe.diagram:not(.drawing)")
    expect(drawn).to_be_visible()
    assert drawn.evaluate("frame => frame.getBoundingClientRect().height") > 40


def test_the_outline_follows_the_reader(open_page: OpenPage) -> None:
    page = open_page("/papers/123/source/")
    page.get_by_role("navigation", name="Outline").get_by_role("link", name="Section 5").click()
    expect(page.locator(".toc [aria-current=true]")).to_have_text("Section 5")


@pytest.mark.parametrize("script", [True, False])
def test_sections_of_two_texts_stand_beside_each_other(open_page: OpenPage, script: bool) -> None:
    page = open_page(
        "/papers/123/side-by-side/?left=source&right=translation:de",
        java_script_enabled=script,
        reduced_motion="reduce",
    )
    for title in ("A table", "Section 1", "Section 8"):
        left, right = page.get_by_role("heading", name=title).all()
        left.scroll_into_view_if_needed()
        # Both in one look: between two, the page may still be moving.
        apart = left.evaluate(APART, right.element_handle())
        assert abs(apart) < 1


def test_what_is_missing_in_the_other_text_is_said_in_view(open_page: OpenPage) -> None:
    page = open_page("/papers/123/side-by-side/?left=source&right=translation:zh")
    page.get_by_text("It is small.").scroll_into_view_if_needed()
    expect(page.get_by_text("Nothing beside this in Chinese").last).to_be_in_viewport()
    page.get_by_label("Right", exact=True).select_option("summary:simple")
    expect(page.get_by_role("heading", name="Summary: Simple")).to_be_visible()


def tops(*elements: Locator) -> list[int]:
    return [round(element.evaluate("element => element.getBoundingClientRect().top")) for element in elements]


def test_a_citation_is_shown_copied_and_closed(open_page: OpenPage) -> None:
    page = open_page("/papers/123/", permissions=["clipboard-read", "clipboard-write"])
    opener = page.get_by_role("link", name="Cite")
    opener.click()
    sheet = page.get_by_role("dialog", name="Cite this paper")
    expect(sheet.get_by_role("link", name="Close")).to_be_focused()
    sheet.get_by_role("button", name="Copy vaswani2017attention.bib").click()
    expect(sheet.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("@inproceedings{vaswani2017attention")
    sheet.get_by_text("RIS", exact=True).click()
    expect(sheet.get_by_text("TI  - Attention Is All You Need")).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(opener).to_be_focused()


def test_papers_go_into_the_basket_and_come_out_as_a_file(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=transformer")
    page.get_by_role("button", name=re.compile("Add to basket.*Attention Is")).click()
    expect(page.locator("#basket-count")).to_have_text("(1)")
    expect(page.get_by_role("button", name=re.compile("In basket.*Attention Is"))).to_be_focused()
    expect(page.get_by_role("region", name="Basket")).to_contain_text("1 paper in the basket")
    page.get_by_role("link", name="Show", exact=True).click()
    expect(page.get_by_role("button", name="Empty the basket")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="BibTeX").first.click()
    assert "vaswani2017attention" in Path(download.value.path()).read_text()
    page.get_by_role("button", name="Empty the basket").click()
    expect(page.get_by_text("The basket is empty")).to_be_visible()


def test_keys_move_open_and_collect(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=transformer")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("b")
    expect(page.locator("#basket-count")).to_have_text("(1)")
    page.keyboard.press("k")
    first = page.locator(".hit h3").first.inner_text()
    page.keyboard.press("o")
    expect(page.get_by_role("heading", level=1)).to_have_text(first)
    page.wait_for_load_state()  # its script listens from then on
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.get_by_label("Turn off single-key shortcuts").check()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_label("Search papers")).not_to_be_focused()


def test_slash_goes_to_the_search_box(open_page: OpenPage) -> None:
    page = open_page("/")
    page.keyboard.press("/")
    expect(page.get_by_label("Search papers")).to_be_focused()


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_the_chosen_theme_stays(open_page: OpenPage) -> None:
    page = open_page("/", color_scheme="light")
    light = background(page)
    page.get_by_label("Dark").check()
    assert background(page) != light
    page.goto("/papers/")
    assert background(page) != light
    page.get_by_label("Auto").check()
    assert background(page) == light


def test_the_site_can_be_used_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/papers/?q=networks", viewport=PHONE)
    page.get_by_text("Filters").click()
    page.get_by_role("link", name="topic 1").click()
    expect(page.locator(".chip")).to_have_count(1)


def test_a_phone_shows_two_texts_in_turn_or_one_of_them_at_the_same_place(open_page: OpenPage) -> None:
    page = open_page("/papers/123/side-by-side/?left=source&right=translation:de", viewport=PHONE)
    left, right = page.locator("#a-section-5"), page.locator("#b-section-5")
    expect(page.locator("iframe.diagram")).not_to_have_count(0)
    expect(page.locator("iframe.diagram.drawing")).to_have_count(0)  # what is drawn later moves what is below it
    assert tops(left)[0] < tops(right)[0]
    left.evaluate("heading => heading.scrollIntoView()")
    choices = page.get_by_role("radiogroup", name="Text to show")
    choices.get_by_text("German").click()
    expect(left).to_be_hidden()
    expect(right).to_be_in_viewport()
    choices.get_by_text("Source").click()
    expect(right).to_be_hidden()
    expect(left).to_be_in_viewport()


def test_the_panel_talks_to_the_server_that_agents_use(open_page: OpenPage) -> None:
    page = open_page("/connect/")
    page.get_by_label("query").fill("transformer")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#try-name")).to_contain_text("200")
    expect(page.locator("#try-answer")).to_contain_text("Attention Is All You Need")
    page.get_by_label("Tool").select_option("tools/list")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#try-answer")).to_contain_text("inputSchema")


def test_without_script_everything_is_still_there(open_page: OpenPage) -> None:
    page = open_page("/", java_script_enabled=False)
    page.get_by_label("Search papers").fill("transformer")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name=re.compile("Add to basket.*Attention Is")).click()
    expect(page.locator("#basket-count")).to_have_text("(1)")
    page.get_by_role("link", name="Attention Is All You Need").click()
    page.get_by_role("link", name="Cite").click()
    expect(page.get_by_text("@inproceedings")).to_be_visible()
    page.get_by_role("link", name="Close").click()
    page.get_by_role("link", name="Source", exact=True).click()
    expect(page.get_by_text("graph LR")).to_be_visible()
    expect(page.get_by_role("button", name="Copy").first).to_be_hidden()
