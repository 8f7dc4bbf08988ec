"""A real browser on a live server: every test fails on a console error or a request to another place."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connections
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Request, expect, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from papers.snapshot import served
from tests.browser import library

# Without windows of its own, the shell takes a third of what the whole browser takes.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 800}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)
            item.add_marker(
                pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; apt install chromium-headless-shell")
            )


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    # Playwright runs an event loop in this thread: the tests' own set-up touches the database all the same, and
    # other tests could run no loop of theirs, so it ends with this package.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=15_000)  # bounded, and enough on a busy machine
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def full_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library.build(tmp_path_factory.mktemp("full"))


@pytest.fixture(autouse=True)
def served_library(full_library: Path, settings: Settings) -> Iterator[None]:
    settings.SNAPSHOT, settings.ASSETS = full_library, str(full_library.parent / "static")
    served.renew()
    yield
    connections["snapshot"].close()


class Watch:
    """What a page did that it must not do."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.faults: list[str] = []

    def follow(self, page: Page) -> None:
        page.on("console", lambda message: self._fault(message.type == "error", f"console: {message.text}"))
        page.on("pageerror", lambda error: self._fault(True, f"script: {error}"))
        page.on("request", self._request)
        page.on("dialog", self._dialog)

    def _dialog(self, dialog: Dialog) -> None:
        self._fault(True, "a dialog opened")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        # chrome: is the browser's own PDF reader.
        own = request.url.startswith((self.origin, "data:", "blob:", "about:", "chrome"))
        self._fault(not own, f"request to {request.url}")

    def _fault(self, wrong: bool, text: str) -> None:
        if wrong:
            self.faults.append(text)


OpenPage = Callable[..., Page]


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Look until it holds, 30 s at most: the page cannot wait by itself, for its policy lets it evaluate no text."""
    for _ in range(300):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError("never came to hold")


@pytest.fixture
def open_page(chromium: Browser, live_server: LiveServer) -> Iterator[OpenPage]:
    """Open an address of the site in a fresh profile; what the page must not do fails the test at its end."""
    contexts: list[BrowserContext] = []
    watch = Watch(live_server.url)

    def go(path: str, **options: object) -> Page:
        context = chromium.new_context(base_url=live_server.url, **{"viewport": DESK, **options})  # type: ignore[arg-type]
        context.set_default_timeout(30_000)  # bounded, and enough for the first page on a busy machine
        contexts.append(context)
        page = context.new_page()
        watch.follow(page)
        page.goto(path)
        return page

    yield go
    for context in contexts:
        context.close()
    assert watch.faults == []
