"""A search in a real browser: started, followed, decided; and two who decide at the same checkpoint."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from playwright.sync_api import Browser, Page, expect

from paper_search.models import Paper
from paper_search.workflow.checkpoints import ResultPayload
from papersite.accounts import owner
from papersite.wsgi import application
from searches import tools
from searches.models import SearchSession
from tests.browser.conftest import DESK, PHONE, Watch, until
from tests.browser.looks import looks_right
from tests.searches.conftest import database, finish_work, migrated  # noqa: F401 (fixtures)

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
    expect(page.get_by_role("heading", name="Confirm the plan")).to_be_visible()


def test_a_search_from_question_to_result(page: Page) -> None:
    page.goto("/searches/")
    looks_right(page)
    start(page)
    looks_right(page)
    page.get_by_text("Change concepts, years, names or sources").click()
    page.get_by_role("textbox", name="Concepts").fill("attention\ntransformer, memory")
    page.get_by_role("button", name="Send decision").click()
    expect(page.get_by_role("heading", name="Review the results")).to_be_visible()
    looks_right(page)
    page.get_by_text("Finish, without the papers").click()
    page.get_by_role("button", name="Send decision").click()
    expect(page.get_by_role("heading", name="Result", exact=True)).to_be_visible()
    looks_right(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="BibTeX").click()
    assert download.value.suggested_filename.endswith(".bib")


def review(page: Page, count: int) -> None:
    """Go to the review of this many papers, which link to nowhere."""
    start(page)
    page.get_by_text("Search with this plan").click()
    page.get_by_role("button", name="Send decision").click()
    expect(page.get_by_role("heading", name="Review the results")).to_be_visible()
    row = SearchSession.objects.get()
    state = row.workflow_state
    assert state.collection is not None
    assert state.checkpoint is not None
    papers = [
        Paper(
            id=f"x:{n}", title=f"Paper {n}", full_text_url=f"{page.url}?paper={n}", abstract=f"Attention of {n}. " * 9
        )
        for n in range(1, count + 1)
    ]
    state.collection = state.collection.model_copy(update={"papers": papers})
    state.checkpoint.payload = ResultPayload(collection=state.collection)
    row.state = state.model_dump_json()
    row.save()
    page.reload()


def mark(page: Page, key: str) -> None:
    with page.expect_response(lambda response: response.url.endswith("/marks")):
        page.keyboard.press(key)


def test_a_review_by_keys_is_saved_at_once_and_goes_on_over_pages(page: Page) -> None:
    review(page, 23)
    looks_right(page)
    for key in "yunn":
        page.keyboard.press("j")
        mark(page, key)
    mark(page, "n")  # again: takes it back
    page.keyboard.press("k")
    expect(page.locator("#p3")).to_have_attribute("aria-current", "true")
    expect(page.locator("[data-count]")).to_have_text("1 relevant, 1 unsure, 1 not relevant")
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    with page.context.expect_page() as opened:
        page.keyboard.press("Enter")
    assert opened.value.url.endswith("?paper=3")
    opened.value.close()
    page.reload()
    for number, name in ((1, "Relevant"), (2, "Unsure"), (3, "Not relevant")):
        expect(page.locator(f"#p{number}").get_by_label(name, exact=True)).to_be_checked()
    expect(page.locator("#p4").get_by_label("Not relevant")).not_to_be_checked()
    page.get_by_role("button", name="Page 2").click()
    expect(page.get_by_text("21–23 of 23 papers")).to_be_visible()
    page.locator("#p23").get_by_text("Relevant", exact=True).click()
    expect(page.locator("[data-count]")).to_have_text("2 relevant, 1 unsure, 1 not relevant")
    page.get_by_text("Finish, without the papers").click()
    page.get_by_role("button", name="Send decision").click()
    expect(page.get_by_text("1–20 of 21 papers")).to_be_visible()
    expect(page.get_by_text("With the 1 paper marked unsure")).to_be_visible()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_bar_never_hides_the_choices(page: Page, size: dict[str, int]) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]  # a plain dict of the right keys
    review(page, 12)
    page.locator(".dock").get_by_role("link", name="Decide").click()
    bar, send = page.locator(".dock").bounding_box(), page.get_by_role("button", name="Send decision")
    for choice in page.locator(".choice").all():
        choice.scroll_into_view_if_needed()
        bar, box = page.locator(".dock").bounding_box(), choice.bounding_box()
        assert bar is not None
        assert box is not None
        assert bar["y"] + bar["height"] <= box["y"]
    expect(send).to_be_visible()
    expect(page.locator("[name=action]:checked")).to_have_count(0)


def test_an_agents_decision_appears_without_reload_and_the_form_keeps_what_was_typed(page: Page) -> None:
    start(page)
    page.get_by_role("textbox", name="Note").fill("my words")
    with page.expect_response(lambda response: "seen=" in response.url):
        pass
    expect(page.get_by_role("textbox", name="Note")).to_have_value("my words")
    tools.decide(page.url.split("/")[-2], "approve")
    expect(page.get_by_role("heading", name="Review the results")).to_be_visible()
    expect(page.locator(".brief")).to_contain_text("The agent")


# The headless shell shows nothing, so what the browser was told to show is read.
_SHOWN = """
window.shown = [];
window.Notification = class {
  static permission = "default";
  static async requestPermission() { this.permission = "granted"; return "granted"; }
  constructor(title, options) { window.shown.push(`${title}: ${options.body}`); }
};
"""


def test_a_browser_says_that_a_search_waits_once_its_reader_has_asked_for_it(
    page: Page, site: str, settings: LazySettings
) -> None:
    settings.LIBRARY_CHANGES = "local"
    page.context.add_cookies([{"name": owner.cookie_name(), "value": owner.cookie_value(), "url": site}])
    page.add_init_script(_SHOWN)
    page.goto("/searches/")
    page.get_by_role("button", name="Tell me in this browser").click()
    expect(page.get_by_role("button", name="Stop telling me in this browser")).to_be_visible()
    tools.start_search(QUESTION)
    finish_work()
    page.add_init_script("Notification.permission = 'granted'")
    page.goto("/stats/")
    until(page, lambda: page.evaluate("shown") == [f"A search waits for you: a plan to confirm: {QUESTION}"])
    page.goto("/searches/")
    page.get_by_role("button", name="Stop telling me in this browser").click()
    expect(page.get_by_role("button", name="Tell me in this browser")).to_be_visible()
    assert page.evaluate("shown") == [], "what was told is not told again"
