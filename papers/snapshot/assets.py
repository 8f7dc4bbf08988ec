"""The assets of the snapshot being served, in the folder or below the URL that the settings name; a summary read."""

import json
import re
import time
from collections.abc import Iterator
from functools import cache

from django.conf import settings
from pydantic import BaseModel, ConfigDict, ValidationError

from papercore import limits
from papercore.errors import ToolError
from papercore.http_client import BlockingClient, RequestFailed, Service, StreamedReply
from papercore.snapshot.assets import (
    PIECE_BYTES,
    AssetFetchFailed,
    AssetStore,
    AssetStream,
    FolderStore,
    checked,
    is_range,
    missing,
    no_answer,
    preferred_summary_key,
    range_not_satisfiable,
    sent_range,
    too_large,
)
from papers.snapshot.errors import AssetParseFailed
from papers.snapshot.models import Paper

OK, PARTIAL_CONTENT, RANGE_NOT_SATISFIABLE = 200, 206, 416
_DIGITS = re.compile(r"[0-9]{1,18}")
# How long a store that did not answer is left alone.
REST_SECONDS = 2.0


@cache
def store_at(location: str) -> AssetStore:
    """The store in a folder or at a URL; one for each, because it keeps connections."""
    return UrlStore(location) if "://" in location else FolderStore(location)


def store() -> AssetStore:
    """The store that the settings name."""
    return store_at(str(settings.ASSETS))


def read_text(key: str, from_store: AssetStore | None = None) -> str:
    """An asset of the store given, else of the one that is served."""
    try:
        return (from_store or store()).read(key).decode("utf-8")
    except UnicodeDecodeError:
        raise AssetParseFailed("The asset is not UTF-8 text.") from None


class SummaryDocument(BaseModel):
    """The part of a summary asset that is read here. Fields may be missing, but not of another type."""

    model_config = ConfigDict(extra="ignore")

    paper_title: str = ""
    paper_authors: list[str] = []
    abstract: str | None = None
    keywords: list[str] = []
    paper_institutions: list[str] = []
    output_language: str | None = None
    template_tag: str | None = None
    summary: str = ""


def preferred_document(paper: Paper, store: AssetStore | None = None) -> SummaryDocument:
    """Holds what the tables lack: the authors' order and spelling. An unreadable one counts as empty."""
    try:
        return read_preferred_document(paper.paper_id, store)
    except ToolError:
        return SummaryDocument()


def read_preferred_document(paper_id: str, store: AssetStore | None = None) -> SummaryDocument:
    """A paper without a summary has this document, too, with its metadata alone."""
    return parse_summary(read_text(preferred_summary_key(paper_id), store))


def parse_summary(text: str) -> SummaryDocument:
    try:
        return SummaryDocument.model_validate(json.loads(text))
    except (ValueError, RecursionError, ValidationError):
        raise AssetParseFailed("The summary is not a JSON document of the expected form.") from None


class UrlStore:
    """Assets below an internal base URL: no redirects, and a limit on time and size.

    A store that did not answer is not asked again for a moment: else a page with several assets waits for each.
    """

    def __init__(self, base: str) -> None:
        self.base = base
        self._silent_until = 0.0
        # The settings name its host, which may be one of the private network.
        self.client = BlockingClient(Service(base, limits.ASSET_BYTES, limits.ASSET_SECONDS, operator_named=True))

    def __reduce__(self) -> tuple[type["UrlStore"], tuple[str]]:
        """To another process goes the address: a connection cannot."""
        return UrlStore, (self.base,)

    def read(self, key: str) -> bytes:
        deadline = time.monotonic() + limits.ASSET_SECONDS
        response = self._send(key)
        body = bytearray()
        try:
            # Each piece as it arrives: if they were gathered first, a slow drip would pass the deadline unnoticed.
            for chunk in response.pieces():
                body += chunk
                if len(body) > limits.ASSET_BYTES:
                    raise too_large()
                if time.monotonic() > deadline:
                    raise AssetFetchFailed("The asset could not be fetched: its store is too slow.")
            return bytes(body)
        except RequestFailed:
            raise self._no_answer() from None
        finally:
            response.close()

    def open(self, key: str, range_header: str = "") -> AssetStream:
        response = self._send(key, range_header if is_range(range_header) else "")
        byte_range = None
        if response.status_code == PARTIAL_CONTENT:
            byte_range = sent_range(response.headers.get("Content-Range", ""))
            if byte_range is None:
                response.close()
                raise missing()
        length = response.headers.get("Content-Length", "")
        return AssetStream(
            self._pieces(response), int(length) if _DIGITS.fullmatch(length) else None, byte_range, response.close
        )

    def _send(self, key: str, range_header: str = "") -> StreamedReply:
        """An answer whose body has not been read yet. Whoever calls closes it."""
        if time.monotonic() < self._silent_until:
            raise no_answer()
        headers = {"Range": range_header} if range_header else {}
        try:
            response = self.client.open(f"/{checked(key)}", headers)
        except RequestFailed as failure:
            if failure.kind == "encoding":
                raise AssetFetchFailed("The asset could not be fetched: its store sent it compressed.") from None
            raise self._no_answer() from None
        if problem := _problem_with(response, is_part_expected=bool(range_header)):
            response.close()
            raise problem
        return response

    def _no_answer(self) -> AssetFetchFailed:
        self._silent_until = time.monotonic() + REST_SECONDS
        return no_answer()

    def _pieces(self, response: StreamedReply) -> Iterator[bytes]:
        try:
            yield from response.pieces(PIECE_BYTES)
        except RequestFailed:
            raise self._no_answer() from None


def _problem_with(response: StreamedReply, *, is_part_expected: bool) -> ToolError | None:
    if is_part_expected and response.status_code == RANGE_NOT_SATISFIABLE:
        return range_not_satisfiable(response.headers.get("Content-Range", ""))
    is_part = response.status_code == PARTIAL_CONTENT
    if response.status_code != OK and not (is_part and is_part_expected):
        return missing()
    return None
