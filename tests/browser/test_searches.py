"""A search in a real browser: started, followed, decided; and two who decide at the same checkpoint."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from playwright.sync_api import Browser, Page, expect

from papersite.wsgi import application
from searches import tools
from tests.browser.conftest import DESK, Watch
from tests.browser.looks import looks_right
from tests.searches.conftest import database, migrated  # noqa: F401 (fixtures)

QUESTION = "attention in transformers since 2015"


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name is inherited)
        """Requests of tests are no news."""


@pytest.fixture
def site(database: Path) -> Iterator[str]:  # noqa: F811 (the fixture)
    """The site on a database file: the searches are worked on by threads of their own."""
    server = ThreadedWSGIServer(("127.0.0.1", 0), _Quiet)
    server.set_app(application)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(10)
    server.server_close()


@pytest.fixture
def page(chromium: Browser, site: str) -> Iterator[Page]:
    context = chromium.new_context(base_url=site, viewport=DESK)  # type: ignore[arg-type]  # a plain dict of the right keys
    context.set_default_timeout(30_000)
    watch, page = Watch(site), context.new_page()
    watch.follow(page)
    yield page
    context.close()
    assert watch.faults == []


def start(page: Page) -> None:
    page.goto("/searches/")
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name="Start the search").click()
    expect(page.get_by_role("heading", name="Confirm the strategy")).to_be_visible()


def test_a_search_from_question_to_result(page: Page) -> None:
    page.goto("/searches/")
    looks_right(page)
    start(page)
    looks_right(page)
    page.get_by_text("Change terms, years or sources").click()
    page.get_by_label("Search terms").fill("attention\ntransformer memory")
    page.get_by_role("button", name="Send decision").click()
    expect(page.get_by_role("heading", name="Review the results")).to_be_visible()
    looks_right(page)
    page.keyboard.press("j")  # to the first paper; the arrows then judge it
    expect(page.locator("#p1")).to_have_attribute("aria-current", "true")
    expect(page.locator("#p1").get_by_label("Unsure")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-count]")).to_contain_text("1 not relevant")
    page.get_by_role("button", name="Send decision").click()
    expect(page.get_by_role("heading", name="Result", exact=True)).to_be_visible()
    looks_right(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="BibTeX").click()
    assert download.value.suggested_filename.endswith(".bib")


def test_an_agents_decision_appears_without_reload_and_the_form_keeps_what_was_typed(page: Page) -> None:
    start(page)
    page.get_by_role("textbox", name="Note").fill("my words")
    with page.expect_response(lambda response: "seen=" in response.url):
        pass
    expect(page.get_by_role("textbox", name="Note")).to_have_value("my words")
    tools.decide(page.url.split("/")[-2], "approve")
    expect(page.get_by_role("heading", name="Review the results")).to_be_visible()
    expect(page.locator(".brief")).to_contain_text("The agent")
