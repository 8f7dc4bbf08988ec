"""Bad assets: a structured error within two seconds, and no memory to pay for it."""

import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any  # JSON as it comes: the tests look into it freely

import pytest

from tests.faults.conftest import MakeServer
from tests.server import SiteServer

KEY = Path("static/summary/123/deep_read.json")
SUMMARY = {"paper_id": "123", "template": "deep_read"}


def bad_json(path: Path) -> None:
    path.write_text('{"summary": ')


def not_utf8(path: Path) -> None:
    path.write_bytes(b'{"summary": "\xff\xfe"}')


def fifty_megabytes(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50_000_000)


def link_out(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    try:
        os.mknod(path, 0o644 | stat.S_IFCHR, os.makedev(1, 5))  # /dev/zero
    except PermissionError:
        pytest.skip("only root makes devices")


def nothing(path: Path) -> None:
    """The file is missing."""


KINDS = {
    nothing: "asset_fetch_failed",
    bad_json: "asset_parse_failed",
    not_utf8: "asset_parse_failed",
    fifty_megabytes: "asset_fetch_failed",
    link_out: "asset_fetch_failed",
    pipe: "asset_fetch_failed",
    device: "asset_fetch_failed",
}


@pytest.mark.parametrize(("spoil", "code"), KINDS.items())
def test_a_bad_file_is_a_structured_error(spoil: Callable[[Path], None], code: str, single: SiteServer) -> None:
    path = single.data / "demo" / KEY
    kept = path.read_bytes()
    path.unlink()
    spoil(path)
    try:
        assert_refused(single, code)
    finally:
        path.unlink(missing_ok=True)
        path.write_bytes(kept)
    assert "error" not in single.call("get_paper_summary", **SUMMARY)


def assert_refused(server: SiteServer, code: str) -> None:
    usual, _ = timed(lambda: server.call("get_paper_metadata", paper_id="456"))
    memory = server.memory()
    seconds, answer = timed(lambda: server.call("get_paper_summary", **SUMMARY))
    assert seconds < 2 + 10 * usual, "two seconds, and what a busy machine takes"
    assert server.memory() - memory < 100_000_000
    assert (answer["error"], answer["paper_id"], answer["template"]) == (code, "123", "deep_read")
    assert server.get("/papers/123/summary/deep_read/").status_code == 503
    assert server.get("/papers/123/").status_code == 200


def timed(act: Callable[[], Any]) -> tuple[float, Any]:
    began = time.monotonic()
    answer = act()
    return time.monotonic() - began, answer


class Store(BaseHTTPRequestHandler):
    """A remote store that never answers, answers drop by drop, or sends elsewhere."""

    manner = "silent"
    ended = threading.Event()

    def do_GET(self) -> None:
        if self.manner == "silent":
            self.ended.wait(20)
            return
        if self.manner == "redirect":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()
            return
        self.send_response(200)
        self.end_headers()
        while not self.ended.wait(0.1):
            self.wfile.write(b" ")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name is inherited)
        """Requests of tests are no news."""


@pytest.fixture(scope="module")
def remote(make_server: MakeServer) -> Iterator[SiteServer]:
    store = ThreadingHTTPServer(("127.0.0.1", 0), Store)
    thread = threading.Thread(target=store.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    server = make_server(WEB_CONCURRENCY="1", PAPERSITE_ASSETS=f"http://127.0.0.1:{store.server_port}/store")
    server.wait_until_up()
    yield server
    Store.ended.set()
    store.shutdown()
    thread.join(10)
    store.server_close()


@pytest.mark.parametrize("manner", ["silent", "drop by drop", "redirect"])
def test_a_bad_host_is_a_structured_error(manner: str, remote: SiteServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "manner", manner)
    assert_refused(remote, "asset_fetch_failed")
    assert "127.0.0.1" not in remote.get("/papers/123/summary/deep_read/").text.replace(remote.address, "")
