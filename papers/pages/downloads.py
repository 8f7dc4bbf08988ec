"""Sends large files of the library piece by piece, whole or a range of them; limits how many at once, and how long."""

import errno
import time
from collections.abc import Iterator
from contextlib import ExitStack

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response

from papercore import limits
from papercore.processes.rate_limits import ConcurrencyLimit, network_of
from papercore.snapshot.assets import AssetFetchFailed, AssetStream, RangeNotSatisfiable, checked
from papers.snapshot import assets
from papers.snapshot.errors import TooManyDownloads

# Less than this fits into the buffers of a connection, so that sending it holds no thread for long.
SMALL_BYTES = 1_000_000

_downloads = ConcurrencyLimit(limits.DOWNLOADS, limits.DOWNLOADS_OF_CLIENT)


class Download:
    """The body of a response: Django iterates over it, and closes it in any case."""

    def __init__(self, stream: AssetStream, client: str) -> None:
        self._stream = stream
        self._deadline = time.monotonic() + limits.DOWNLOAD_SECONDS
        self._closers = ExitStack()
        self._closers.callback(stream.close)
        if stream.length is None or stream.length > SMALL_BYTES:
            self._count(client)

    def _count(self, client: str) -> None:
        if not _downloads.enter(client):
            self.close()
            raise TooManyDownloads("Too many large files are being downloaded. Try again in a minute.")
        self._closers.callback(_downloads.leave, client)

    def __iter__(self) -> Iterator[bytes]:
        try:
            for piece in self._stream:
                if time.monotonic() > self._deadline:
                    raise cut_off()
                yield piece
        except AssetFetchFailed:
            raise cut_off() from None

    def close(self) -> None:
        self._closers.close()


def cut_off() -> BrokenPipeError:
    """The server closes the connection for it, so that the client notices; it may go on from there with a range."""
    return BrokenPipeError(errno.EPIPE, "The download was cut off.")


def download(request: HttpRequest, key: str, content_hash: str, content_type: str) -> HttpResponseBase:
    """The asset, or the range that the request asks for."""
    checked(key)  # the hash comes from a snapshot, and goes into a header
    etag = f'"{content_hash}"'
    if unchanged := get_conditional_response(request, etag=etag):
        unchanged["ETag"] = etag
        return unchanged
    wanted = request.headers.get("Range", "") if request.headers.get("If-Range", etag) == etag else ""
    try:
        stream = assets.store().open(key, wanted if request.method == "GET" else "")
    except RangeNotSatisfiable as error:
        return HttpResponse(status=416, headers={"Content-Range": str(error.details["content_range"])})
    headers = {"Accept-Ranges": "bytes", "ETag": etag}
    if stream.length is not None:
        headers["Content-Length"] = str(stream.length)
    if stream.byte_range:
        headers["Content-Range"] = str(stream.byte_range)
    if request.method == "HEAD":
        stream.close()
        return HttpResponse(content_type=content_type, headers=headers)
    body = Download(stream, network_of(request.META.get("REMOTE_ADDR", "")))
    status = 206 if stream.byte_range else 200
    return StreamingHttpResponse(body, content_type=content_type, status=status, headers=headers)
