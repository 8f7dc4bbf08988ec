"""A question in a real browser: its evidence, a passage opened and marked, a quotation copied, an answer that comes."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from papers.snapshot import served
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.looks import looks_right
from tests.browser.test_searches import page, site  # noqa: F401 (fixtures)
from tests.paper_search.http_server import serving
from tests.paper_search.test_llm import openai
from tests.searches.conftest import database, migrated  # noqa: F401 (fixtures)
from tests.snapshot import SamplePaper, build

FOUND = "Owls hunt by ear in the dark. Their *ring of feathers* leads the sound to the ears."
SOURCE = f"""\
# Owls

## Sleep

{"Owls sleep by day. " * 60}

## Hunting

Nothing is said here about mice. Nobody counted them. It was too dark for that. {FOUND} The rest is silence.

{"Nobody knows more. " * 200}
"""
QUESTION = "how do owls hunt in the dark?"
MARKED = "[...CSS.highlights.get('opened') ?? []].map(range => range.toString().replaceAll(/\\s+/g, ' ')).join()"


@pytest.fixture(autouse=True)
def owls(own_library: Path, served_library: None) -> None:
    build(own_library.parent, [SamplePaper("p1", "Owls", ["Ada Ames", "Ben Bo"], year="2001", source=SOURCE)])
    served.renew()


def test_a_question_finds_a_passage_that_opens_marked_and_is_copied_with_its_citation(open_page: OpenPage) -> None:
    opened = open_page("/ask/", permissions=["clipboard-read", "clipboard-write"])
    opened.get_by_label("Your question").fill(QUESTION)
    opened.get_by_role("button", name="Ask", exact=True).click()
    passage = opened.locator(".passage").filter(has_text="hunt by ear")
    expect(passage.locator(".counts")).to_contain_text("Owls hunt by ear in the dark.")
    passage.get_by_role("button", name="Copy").click()
    expect(passage.get_by_role("button", name="Copied")).to_be_visible()
    copied = opened.evaluate("navigator.clipboard.readText()")
    assert copied.endswith("(Ames and Bo, 2001. Owls)")
    assert "Owls hunt by ear in the dark. Their ring of feathers" in copied
    passage.get_by_role("link", name="Open in Hunting").click()
    block = opened.locator(":target")
    expect(block).to_be_in_viewport()
    marked = opened.evaluate(MARKED)
    assert "Owls hunt by ear in the dark." in marked
    assert "Nothing is said" not in marked


def test_without_script_the_passage_opens_at_its_paragraph(open_page: OpenPage) -> None:
    opened = open_page(f"/ask/?q={QUESTION}", java_script_enabled=False, viewport=PHONE)
    opened.locator(".passage").filter(has_text="hunt by ear").get_by_role("link", name="Open in Hunting").click()
    expect(opened.locator(":target")).to_be_in_viewport()
    expect(opened.locator(":target")).to_contain_text("Owls hunt by ear")


def test_what_is_found_in_a_paper_is_stepped_through_without_scrolling_back(open_page: OpenPage) -> None:
    opened = open_page("/papers/p1/source/?find=dark")
    expect(opened.locator(".toc").get_by_role("link", name="Hunting")).to_contain_text("2")
    opened.get_by_role("link", name="First").click()
    expect(opened.locator(":target")).to_be_in_viewport()
    opened.get_by_role("link", name="Next").click()
    expect(opened.get_by_text("2 of 2", exact=True)).to_be_in_viewport()
    assert "hunt by ear in the dark" in opened.evaluate(MARKED)


def test_an_answer_comes_after_the_evidence(
    page: Page,  # noqa: F811 (the fixture)
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quotes = [{"passage": 1, "quote": "Owls hunt by ear in the dark"}]
    sentences = [{"text": "By ear.", "quotes": quotes}, {"text": "And by luck.", "quotes": []}]
    with serving(openai({"sentences": sentences})) as service:
        monkeypatch.setenv("PAPER_SEARCH_LLM_PROVIDER", "openai")
        monkeypatch.setenv("PAPER_SEARCH_LLM_MODEL", "m")
        monkeypatch.setenv("PAPER_SEARCH_LLM_BASE_URL", f"{service.address}/v1")
        page.goto(f"/ask/?q={QUESTION}")
        expect(page.locator(".passage").first).to_be_visible()
        answer = page.get_by_role("region", name="Answer")
        expect(answer.get_by_text("By ear.")).to_be_visible()
    expect(answer.locator("s")).to_have_text("And by luck.")
    expect(answer.get_by_text("Unsupported: no passage was given for it")).to_be_visible()
    looks_right(page)
    answer.get_by_role("link", name="Passage 1: Owls").click()
    expect(page.locator(".passage:target")).to_contain_text("hunt by ear")
