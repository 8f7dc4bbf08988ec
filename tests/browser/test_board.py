"""The review board in a chat client: in a real browser, by the official host of MCP Apps, where npm brought it."""

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect
from pytest_django import Settings

from searches.models import SearchSession
from tests.browser.conftest import DESK, PHONE
from tests.browser.test_searches import QUESTION, site  # noqa: F401 (the fixture)
from tests.searches.conftest import database, migrated  # noqa: F401 (fixtures)

# Where `npm ci` has put what package.json beside this file names.
NPM = Path(os.environ.get("PAPERSITE_TEST_NPM", Path(__file__).parent))
ESBUILD = NPM / "node_modules" / ".bin" / "esbuild"
pytestmark = pytest.mark.skipif(
    not ESBUILD.exists() or not shutil.which("node"),
    reason="no official host of MCP Apps here; npm ci --prefix tests/browser",
)
PAGE = """<!DOCTYPE html><title>Chat</title><style>iframe { width: 100%; border: 0 }</style>
<script src="host.js"></script>"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name is inherited)
        """Requests of tests are no news."""


@pytest.fixture(scope="module")
def client_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("host")
    script = shutil.copy(Path(__file__).with_name("board_host.js"), folder / "source.js")
    subprocess.run(
        [ESBUILD, script, "--bundle", "--format=iife", f"--outfile={folder / 'host.js'}", "--log-level=error"],
        env={**os.environ, "NODE_PATH": str(NPM / "node_modules")},
        check=True,
        timeout=120,
    )
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    return folder


@pytest.fixture
def chat(chromium: Browser, client_pages: Path, settings: Settings) -> Iterator[Page]:
    """The page of the chat client, on an origin of its own that may call the server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(client_pages)))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_port}"
    settings.ALLOWED_ORIGINS = [origin]
    context = chromium.new_context(base_url=origin, viewport=DESK)  # type: ignore[arg-type]  # a plain dict of the right keys
    context.set_default_timeout(30_000)
    page, faults = context.new_page(), []
    # The client asks for a stream first, which this server does not have.
    page.on("console", lambda m: faults.append(m.text) if m.type == "error" and "405" not in m.text else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto("/index.html")
    yield page
    context.close()
    server.shutdown()
    server.server_close()
    assert faults == []


def start(chat: Page, era: str, address: str, tool: str, theme: str = "light") -> tuple[FrameLocator, Any]:
    told = chat.evaluate("given => run(...given)", [era, address, tool, {"query": QUESTION}, theme])
    return chat.frame_locator("iframe"), told


@pytest.mark.parametrize(
    ("era", "path", "tool"),
    [
        ("legacy", "/mcp", "start_search"),
        ("auto", "/mcp", "start_search"),
        ("legacy", "/mcp/paper-search", "search_papers"),
    ],
)
def test_a_person_decides_a_search_on_the_board(chat: Page, site: str, era: str, path: str, tool: str) -> None:  # noqa: F811
    board, told = start(chat, era, site + path, tool)
    assert told["uri"] == "ui://papersite/board"
    assert told["mimeType"] == "text/html;profile=mcp-app"
    assert told["next"].startswith("Your user sees the review board" if era == "auto" else "Call decide")
    expect(board.get_by_role("heading", name="Confirm the plan")).to_be_visible()
    board.get_by_text("Change concepts, years, names or sources").click()
    board.get_by_role("textbox", name="Concepts").fill("attention\ntransformer, memory")
    board.get_by_label("From year").fill("nonsense")
    board.get_by_role("button", name="Send decision").click()
    expect(board.get_by_role("alert")).to_contain_text("year_from")
    board.get_by_label("From year").fill("2015")
    board.get_by_role("button", name="Send decision").click()
    expect(board.get_by_role("heading", name="Review the results")).to_be_visible()
    first = board.locator(".verdict").first
    first.get_by_text("Relevant", exact=True).click()
    expect(board.locator("[data-count]")).to_have_text("1 relevant, 0 unsure, 0 not relevant")
    first.locator("h3 a").click()
    board.get_by_text("Approve only the papers marked relevant").click()
    board.get_by_text("Finish, without the papers").click()
    board.get_by_role("button", name="Send decision").click()
    expect(board.get_by_role("heading", name="Result", exact=True)).to_be_visible()
    expect(board.get_by_text("1 paper, best first")).to_be_visible()
    row = SearchSession.objects.get()
    assert told["session"] == row.pk
    assert [(made.action, made.decided_by) for made in row.decisions.order_by("decided_at")] == [
        ("edit", "person"),
        ("approve", "person"),
    ]
    heard = dict(chat.evaluate("heard"))
    assert heard["link"].startswith(f"{site}/papers/")
    assert "chose edit for the plan" in heard["context"]
    assert "chose approve for the papers. Call export_results." in heard["message"]


def test_a_decision_of_somebody_else_is_told_and_the_theme_is_the_clients(chat: Page, site: str) -> None:  # noqa: F811
    chat.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a plain dict of the right keys
    board, told = start(chat, "legacy", f"{site}/mcp", "start_search", "dark")
    expect(board.get_by_role("heading", name="Confirm the plan")).to_be_visible()
    expect(board.locator("html")).to_have_attribute("data-theme", "dark")
    assert board.locator("html").evaluate("page => page.scrollWidth <= page.clientWidth")
    chat.evaluate(
        "given => run(...given)",
        ["legacy", f"{site}/mcp", "decide", {"session_id": told["session"], "action": "approve"}, "dark"],
    )
    board = chat.frame_locator("iframe >> nth=0")
    board.get_by_text("Plan again, guided by").click()
    board.get_by_role("button", name="Send decision").click()
    expect(board.get_by_role("alert")).to_contain_text("checkpoint already being processed")
    expect(board.get_by_role("heading", name="Review the results")).to_be_visible()
    other = chat.frame_locator("iframe >> nth=1")
    expect(other.get_by_role("heading", name="Review the results")).to_be_visible()
