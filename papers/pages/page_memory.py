"""Pages as they were written last: a worker keeps them as long as a browser may, and sends them to the next reader."""

import re
from collections import OrderedDict
from threading import Lock

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from msgspec import Struct

# Pages that a worker keeps as they were written: two hundred of the usual size.
KEPT_PAGES_BYTES = 10_000_000
_FORM_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="([A-Za-z0-9]+)"')


class KeptPage(Struct, frozen=True):
    """The headers that the view set, and the page in parts: between them each reader gets a form token of their own."""

    headers: dict[str, str]
    parts: list[bytes]

    @classmethod
    def of(cls, response: HttpResponse) -> "KeptPage":
        body = response.content
        token = _FORM_TOKEN.search(body)
        return cls(dict(response.headers), body.split(token[1]) if token else [body])

    def response(self, request: HttpRequest) -> HttpResponse:
        token = get_token(request).encode() if len(self.parts) > 1 else b""
        return HttpResponse(token.join(self.parts), headers=self.headers)

    @property
    def size(self) -> int:
        return sum(map(len, self.parts))


class PageMemory:
    """As many pages as there is room for; the one that was not asked for longest goes first."""

    def __init__(self, room: int = KEPT_PAGES_BYTES) -> None:
        self._room, self._used = room, 0
        self._pages: OrderedDict[str, KeptPage] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._pages)

    def find(self, key: str) -> KeptPage | None:
        with self._lock:
            page = self._pages.get(key)
            if page:
                self._pages.move_to_end(key)
            return page

    def keep(self, key: str, page: KeptPage) -> None:
        with self._lock:
            self._remove(key)
            self._pages[key] = page
            self._used += page.size
            while self._used > self._room:
                self._remove(next(iter(self._pages)))

    def clear(self) -> None:
        with self._lock:
            self._pages.clear()
            self._used = 0

    def _remove(self, key: str) -> None:
        page = self._pages.pop(key, None)
        self._used -= page.size if page else 0


MEMORY = PageMemory()
