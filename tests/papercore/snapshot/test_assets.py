"""The asset store: a folder or a URL, bounded in time and size, leading nowhere else."""

import gzip
import os
import pickle
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from pytest_django import Settings

from papercore import limits
from papercore.errors import ToolError
from papercore.snapshot.assets import AssetFetchFailed, ByteRange, FolderStore, RangeNotSatisfiable, requested_range
from papers import tools
from papers.catalogue.lookup import find_paper
from papers.snapshot import assets
from papers.snapshot.assets import UrlStore


def summary_of(library: Path, paper_id: str, template: str = "simple") -> Path:
    return library.parent / "static" / "summary" / paper_id / f"{template}.json"


def failure(paper_id: str = "123") -> dict[str, object]:
    with pytest.raises(ToolError) as caught:
        tools.get_paper_summary(paper_id)
    return caught.value.payload()


class TestFolder:
    @pytest.mark.scenario("paper-mcp / Asset fetch errors / Asset fetch failure")
    def test_a_missing_file_is_a_fetch_failure_that_names_paper_and_template(self, own_library: Path) -> None:
        summary_of(own_library, "123").unlink()
        payload = failure()
        assert payload["error"] == "asset_fetch_failed"
        assert (payload["paper_id"], payload["template"]) == ("123", "simple")
        assert os.sep not in str(payload["message"])

    def test_metadata_does_without_a_broken_summary(self, own_library: Path) -> None:
        (own_library.parent / "static" / "summary" / "123.json").write_text("{broken")
        assert tools.get_paper_metadata("123").authors == ["ashish vaswani", "noam shazeer", "łukasz kaiser"]

    @pytest.mark.parametrize("content", [b"{broken", b"[]", b'{"summary": 5}', b"[" * 100_000, b"", b"\xff\xfe{}"])
    def test_a_summary_that_is_no_document_is_a_parse_failure(self, own_library: Path, content: bytes) -> None:
        summary_of(own_library, "123").write_bytes(content)
        assert failure()["error"] == "asset_parse_failed"

    def test_a_source_that_is_not_utf8_is_a_parse_failure(self, own_library: Path) -> None:
        (source,) = (own_library.parent / "static" / "md").glob(f"{_source_hash('123')}.md")
        source.write_bytes(b"\xff\xfe")
        with pytest.raises(ToolError) as caught:
            tools.get_paper_source("123")
        assert (caught.value.code, caught.value.details["paper_id"]) == ("asset_parse_failed", "123")

    def test_a_link_out_of_the_folder_is_not_followed(self, own_library: Path, tmp_path: Path) -> None:
        secret = tmp_path / "secret.json"
        secret.write_text('{"summary": "secret"}')
        summary_of(own_library, "123").unlink()
        summary_of(own_library, "123").symlink_to(secret)
        assert failure()["error"] == "asset_fetch_failed"

    def test_a_linked_folder_is_not_followed_either(self, own_library: Path, tmp_path: Path) -> None:
        folder = summary_of(own_library, "123").parent
        folder.rename(tmp_path / "elsewhere")
        folder.symlink_to(tmp_path / "elsewhere")
        assert failure()["error"] == "asset_fetch_failed"

    def test_a_fifo_does_not_hang_and_a_folder_is_no_file(self, own_library: Path) -> None:
        summary_of(own_library, "123").unlink()
        os.mkfifo(summary_of(own_library, "123"))
        assert failure()["error"] == "asset_fetch_failed"
        summary_of(own_library, "456").unlink()
        summary_of(own_library, "456").mkdir()
        assert failure("456")["error"] == "asset_fetch_failed"

    def test_a_file_over_the_limit_is_not_read(self, own_library: Path) -> None:
        with summary_of(own_library, "123").open("wb") as file:
            file.truncate(limits.ASSET_BYTES + 1)
        assert "larger than" in str(failure()["message"])

    @pytest.mark.parametrize(
        "key", ["../x", "/etc/passwd", "a/../b", ".hidden", "a//b", "a/b/c/d/e", "", "a\0b", "a\nb", "~"]
    )
    def test_a_key_that_leads_elsewhere_is_no_key(self, library: Path, key: str) -> None:
        with pytest.raises(ToolError) as caught:
            FolderStore(str(library.parent / "static")).read(key)
        assert caught.value.code == "asset_fetch_failed"


def _source_hash(paper_id: str) -> str:
    return find_paper(paper_id).source_md_content_hash or ""


class Handler(BaseHTTPRequestHandler):
    """Serves a small asset, and misbehaves on request."""

    def do_GET(self) -> None:
        if self.path == "/base/md/good.md":
            self._answer(200, "Grüße".encode())
        elif self.path == "/base/md/moved.md":
            self.send_response(302)
            self.send_header("Location", "/base/md/good.md")
            self.end_headers()
        elif self.path == "/base/md/large.md":
            self._answer(200, b"x" * 2_000)
        elif self.path == "/base/md/bomb.md":
            self._answer(200, BOMB, encoding="gzip")
        elif self.path == "/base/pdf/large.pdf":
            self._answer_range(bytes(range(256)) * 10)
        elif self.path == "/base/md/slow.md":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"x")
            self.wfile.flush()
            RELEASE.wait(10)
        else:
            self._answer(404, b"")

    def _answer_range(self, body: bytes) -> None:
        header = self.headers.get("Range", "")
        try:
            found = requested_range(header, len(body))
        except RangeNotSatisfiable:
            self._answer(416, b"", content_range=f"bytes */{len(body)}")
            return
        if found:
            self._answer(206, body[found.first : found.last + 1], content_range=str(found))
        else:
            self._answer(200, body)

    def _answer(self, status: int, body: bytes, encoding: str = "", content_range: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if encoding:
            self.send_header("Content-Encoding", encoding)
        if content_range:
            self.send_header("Content-Range", content_range)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


RELEASE = threading.Event()
BOMB = gzip.compress(b"0" * 5_000_000)


@pytest.fixture
def store() -> Iterator[UrlStore]:
    RELEASE.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    store = UrlStore(f"http://127.0.0.1:{server.server_address[1]}/base")
    yield store
    RELEASE.set()
    store.client.close()
    server.shutdown()
    thread.join()
    server.server_close()


class TestUrl:
    def test_it_goes_to_other_processes_by_its_address(self, store: UrlStore) -> None:
        there = pickle.loads(pickle.dumps(store))
        with closing(there.client):
            assert there.read("md/good.md").decode() == "Grüße"

    def test_an_asset_is_fetched_below_the_base(self, store: UrlStore) -> None:
        assert store.read("md/good.md").decode() == "Grüße"

    @pytest.mark.parametrize("key", ["md/missing.md", "md/moved.md", "../base/md/good.md"])
    def test_missing_moved_and_odd_ones_are_fetch_failures(self, store: UrlStore, key: str) -> None:
        with pytest.raises(ToolError) as caught:
            store.read(key)
        assert caught.value.code == "asset_fetch_failed"
        assert "127.0.0.1" not in caught.value.message

    def test_a_large_one_is_given_up(self, store: UrlStore, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "ASSET_BYTES", 1_000)
        with pytest.raises(ToolError, match="larger"):
            store.read("md/large.md")

    def test_a_compressed_one_is_not_unpacked(self, store: UrlStore) -> None:
        for act in (store.read, store.open):
            with pytest.raises(AssetFetchFailed, match="compressed"):
                act("md/bomb.md")

    def test_one_of_any_size_is_given_whole_or_in_ranges(
        self, store: UrlStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "ASSET_BYTES", 1_000)
        with closing(store.open("pdf/large.pdf")) as stream:
            assert (stream.length, b"".join(stream)) == (2560, bytes(range(256)) * 10)
        with closing(store.open("pdf/large.pdf", "bytes=250-259")) as stream:
            assert b"".join(stream) == bytes([*range(250, 256), *range(4)])
            assert (stream.length, stream.byte_range) == (10, ByteRange(250, 259, 2560))
        with pytest.raises(RangeNotSatisfiable) as caught:
            store.open("pdf/large.pdf", "bytes=2560-")
        assert caught.value.details["content_range"] == "bytes */2560"
        with pytest.raises(AssetFetchFailed):
            store.open("pdf/none.pdf", "bytes=0-")

    def test_a_slow_host_is_given_up(self, monkeypatch: pytest.MonkeyPatch, store: UrlStore) -> None:
        monkeypatch.setattr(limits, "ASSET_SECONDS", 0.1)
        impatient = UrlStore(store.base)
        with closing(impatient.client), pytest.raises(ToolError) as caught:
            impatient.read("md/slow.md")
        assert caught.value.code == "asset_fetch_failed"

    def test_a_host_that_is_not_there_is_a_fetch_failure(self, settings: Settings) -> None:
        settings.ASSETS = "http://127.0.0.1:9/static"
        assert failure()["error"] == "asset_fetch_failed"
        store = assets.store()
        assert isinstance(store, UrlStore)
        store.client.close()


def test_a_store_that_gave_no_answer_is_left_alone_for_a_moment() -> None:
    store = UrlStore("http://127.0.0.1:9")
    for _ in range(2):
        with pytest.raises(AssetFetchFailed, match="could not be fetched"):
            store.read("summary/123.json")
    store.client.close()
