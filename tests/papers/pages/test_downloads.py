"""PDFs of any size: whole, in ranges, and a limited number at once."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import Client

from papercore import limits
from papers.snapshot import served
from tests import snapshot as sample

HASH = "ab" * 32
SIZE = limits.ASSET_BYTES + 5_000_000
PDF = "/papers/123/paper.pdf"
Ask = Callable[..., HttpResponseBase]


@pytest.fixture
def large_pdf(own_library: Path) -> Path:
    """A PDF that is larger than any text may be, with marks at both ends."""
    sample.change(own_library, f"UPDATE paper SET pdf_content_hash = '{HASH}' WHERE paper_id = '123'")
    served.renew()
    file = own_library.parent / "static" / "pdf" / f"{HASH}.pdf"
    file.parent.mkdir()
    with file.open("wb") as content:
        content.write(b"%PDF-1.4")
        content.seek(SIZE - 5)
        content.write(b"%%EOF")
    return file


@pytest.fixture
def ask(client: Client, large_pdf: Path) -> Iterator[Ask]:
    """Sends requests for it, and closes the answers in the end."""
    with ExitStack() as stack:

        def send(range_header: str = "", **headers: str) -> HttpResponseBase:
            response = client.get(PDF, headers={**({"Range": range_header} if range_header else {}), **headers})
            stack.callback(close, response)
            return response

        yield send


def close(response: HttpResponseBase) -> None:
    """As Django's client closes other answers: without a look at the default database."""
    request_finished.disconnect(close_old_connections)
    response.close()
    request_finished.connect(close_old_connections)


def body(response: HttpResponseBase) -> bytes:
    assert isinstance(response, StreamingHttpResponse)
    return response.getvalue()


def test_a_large_pdf_is_sent_whole(ask: Ask) -> None:
    response = ask()
    assert (response.status_code, response["Content-Length"]) == (200, str(SIZE))
    assert response["Accept-Ranges"] == "bytes"
    content = body(response)
    assert (len(content), content[:8], content[-5:]) == (SIZE, b"%PDF-1.4", b"%%EOF")


def test_a_range_of_it_is_sent_alone(ask: Ask) -> None:
    response = ask("bytes=-5")
    assert (response.status_code, body(response)) == (206, b"%%EOF")
    assert response["Content-Range"] == f"bytes {SIZE - 5}-{SIZE - 1}/{SIZE}"
    assert response["Content-Length"] == "5"


def test_a_range_after_its_end_is_416(ask: Ask) -> None:
    response = ask(f"bytes={SIZE}-")
    assert (response.status_code, response["Content-Range"]) == (416, f"bytes */{SIZE}")


def test_an_odd_range_is_the_whole_file(ask: Ask) -> None:
    assert [ask(header).status_code for header in ("bytes=0-1,4-5", "bytes=9-1", "lines=1-2")] == [200] * 3


def test_one_that_has_not_changed_is_not_sent_again(ask: Ask) -> None:
    etag = f'"{HASH}"'
    unchanged = ask(**{"If-None-Match": etag})
    assert (unchanged.status_code, unchanged["ETag"]) == (304, etag)
    assert ask("bytes=0-3", **{"If-Range": etag}).status_code == 206
    assert ask("bytes=0-3", **{"If-Range": '"other"'}).status_code == 200


def test_its_size_can_be_asked_for(client: Client, large_pdf: Path) -> None:
    response = client.head(PDF)
    assert (response.status_code, response["Content-Length"], response.content) == (200, str(SIZE), b"")
    assert client.post(PDF).status_code == 405


def test_only_so_many_large_ones_are_sent_at_once(ask: Ask) -> None:
    being_sent = [ask() for _ in range(limits.DOWNLOADS_OF_CLIENT)]
    assert [response.status_code for response in being_sent] == [200] * limits.DOWNLOADS_OF_CLIENT
    refused = ask()
    assert (refused.status_code, refused["Retry-After"]) == (503, "30")
    assert ask("bytes=0-99").status_code == 206, "small ranges are not counted"
    close(being_sent[0])
    assert ask().status_code == 200


def test_one_that_takes_too_long_is_cut_off(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DOWNLOAD_SECONDS", -1)
    with pytest.raises(BrokenPipeError):
        body(ask())


def test_one_that_is_cut_while_it_is_sent_does_not_look_whole(ask: Ask, large_pdf: Path) -> None:
    response = ask()
    with large_pdf.open("r+b") as file:
        file.truncate(1_000_000)
    with pytest.raises(BrokenPipeError):
        body(response)


@pytest.mark.parametrize("content_hash", ['"', "a\r\nSet-Cookie: x=1", "../../etc/passwd", "ab" * 32])
def test_a_hash_without_a_file_is_no_internal_error(client: Client, own_library: Path, content_hash: str) -> None:
    sample.change(own_library, f"UPDATE paper SET pdf_content_hash = '{content_hash}' WHERE paper_id = '123'")
    served.renew()
    answer = client.get(PDF, headers={"If-None-Match": "*"} if content_hash != "ab" * 32 else {})
    assert answer.status_code == 503
    assert "Set-Cookie" not in answer.headers
