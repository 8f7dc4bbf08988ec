"""Pictures and PDFs of the library: sent whole or in ranges, with limits on how many at once and how long."""

import errno
import mimetypes
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from papercore import limits
from papercore.caller import network_of
from papercore.processes.rate_limits import ConcurrencyLimit
from papercore.snapshot.assets import (
    IMAGE_EXTENSIONS,
    AssetFetchFailed,
    AssetMissing,
    AssetStream,
    RangeNotSatisfiable,
    checked,
    image_key,
    pdf_key,
)
from papers.catalogue.lookup import find_paper
from papers.snapshot import assets
from papers.snapshot.errors import SourceNotAvailable, TooManyDownloads

# Large files being sent at once by one worker, which has 64 threads: a slow client holds one.
DOWNLOADS = 16
# Less than this fits into the buffers of a connection, so that sending it holds no thread for long.
SMALL_BYTES = 1_000_000

_downloads = ConcurrencyLimit(DOWNLOADS, limits.DOWNLOADS_OF_CLIENT)
_YEAR = 365 * 24 * 3600
_INLINE = ["'unsafe-inline'"]
_PICTURE_POLICY = {"script-src": ["'none'"], "style-src": _INLINE, "sandbox": True}
# What the browser's PDF reader needs.
_PDF_POLICY = {
    "default-src": ["'self'"],
    "object-src": ["'self'"],
    "frame-ancestors": ["'self'"],
    "style-src": _INLINE,
}


# A picture opened on its own may run nothing: an SVG can contain a script.
@csp_replace(_PICTURE_POLICY)  # type: ignore[arg-type]  # its types know views without arguments only
def picture(request: HttpRequest, name: str) -> HttpResponse:
    """A picture in a text. Its name is the hash of its content, so it never changes."""
    kind = mimetypes.guess_type(name)[0]
    if not any(name.lower().endswith(suffix) for suffix in IMAGE_EXTENSIONS) or kind is None:
        raise Http404
    try:
        content = assets.store().read(image_key(name))
    except AssetMissing:
        # Browsers show a picture whatever its status is.
        return render(request, "papers/missing_picture.svg", content_type="image/svg+xml", status=404)
    response = HttpResponse(content, content_type=kind)
    patch_cache_control(response, public=True, max_age=_YEAR, immutable=True)
    return response


@csp_replace(_PDF_POLICY)  # type: ignore[arg-type]
@xframe_options_sameorigin
@require_safe
def pdf_file(request: HttpRequest, paper_id: str) -> HttpResponseBase:
    """The paper's PDF, of whatever size; browsers and readers ask for ranges of it."""
    paper = find_paper(paper_id)
    if not paper.pdf_content_hash:
        raise SourceNotAvailable(f"This library has no PDF of paper {paper_id}.", paper_id=paper_id)
    response = download(request, pdf_key(paper.pdf_content_hash), paper.pdf_content_hash, "application/pdf")
    response["Content-Disposition"] = f'inline; filename="{file_name(paper.title)}.pdf"'
    patch_cache_control(response, public=True, max_age=3600)
    return response


def file_name(title: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower()[:60] or "paper"


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


class Download:
    """The body of a response: Django iterates over it, and closes it in any case."""

    def __init__(self, stream: AssetStream, client: str) -> None:
        self._stream = stream
        self._deadline = time.monotonic() + limits.DOWNLOAD_SECONDS
        self._closers = ExitStack()
        self._closers.callback(stream.close)
        if stream.length is None or stream.length > SMALL_BYTES:
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
