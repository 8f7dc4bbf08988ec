"""Asset stores: a folder, or an internal base URL. Keys go in, bytes come out; nothing else is reachable."""

import os
import re
import stat
import time
from typing import Protocol

import httpx

from papercore import limits
from papers.errors import AssetFetchFailed, AssetMissing

# Letters of any script, digits, `_`, `-` and inner dots; names that start with a dot are never ours.
KEY = re.compile(r"[\w-][\w.:-]*(/[\w-][\w.:-]*){0,3}")

# How long a remote store that did not answer is left alone.
REST_SECONDS = 2.0


class AssetStore(Protocol):
    def read(self, key: str) -> bytes:
        """The whole asset, or AssetFetchFailed."""


class FolderStore:
    """Assets in a folder. Every step of a key is opened below the last, so no link leads out of it."""

    def __init__(self, root: str) -> None:
        self.root = root

    def read(self, key: str) -> bytes:
        try:
            descriptor = self._open(checked(key))
        except OSError:
            raise missing() from None
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise missing()
        with os.fdopen(descriptor, "rb") as file:
            if status.st_size > limits.ASSET_BYTES:
                raise too_large()
            return file.read(limits.ASSET_BYTES)

    def _open(self, key: str) -> int:
        *folders, name = key.split("/")
        folder = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in folders:
                deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
                os.close(folder)
                folder = deeper
            # O_NONBLOCK: opening a FIFO must not wait for somebody to write into it.
            return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        finally:
            os.close(folder)


class UrlStore:
    """Assets below an internal base URL: no redirects, and a limit on time and size.

    A store that did not answer is not asked again for a moment: else a page with several assets waits for each.
    """

    def __init__(self, base: str) -> None:
        self.base = base
        self._silent_until = 0.0
        self.client = httpx.Client(timeout=limits.ASSET_SECONDS, follow_redirects=False, trust_env=False)

    def read(self, key: str) -> bytes:
        if time.monotonic() < self._silent_until:
            raise no_answer()
        deadline = time.monotonic() + limits.ASSET_SECONDS
        try:
            with self.client.stream("GET", f"{self.base}/{checked(key)}") as response:
                if response.status_code != httpx.codes.OK:
                    raise missing()
                return self._body(response, deadline)
        except httpx.HTTPError:
            self._silent_until = time.monotonic() + REST_SECONDS
            raise no_answer() from None

    def _body(self, response: httpx.Response, deadline: float) -> bytes:
        body = bytearray()
        # Each piece as it arrives: if they were gathered first, a slow drip would pass the deadline unnoticed.
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > limits.ASSET_BYTES:
                raise too_large()
            if time.monotonic() > deadline:
                raise AssetFetchFailed("The asset could not be fetched: its store is too slow.")
        return bytes(body)


def checked(key: str) -> str:
    if not KEY.fullmatch(key):
        raise missing()
    return key


def missing() -> AssetMissing:
    return AssetMissing("The asset could not be fetched: the store has no such file.")


def no_answer() -> AssetFetchFailed:
    return AssetFetchFailed("The asset could not be fetched: its store does not answer.")


def too_large() -> AssetFetchFailed:
    return AssetFetchFailed(f"The asset could not be fetched: it is larger than {limits.ASSET_BYTES:,} bytes.")
