"""Gunicorn's response, sent in as few pieces as possible: the head goes out with the first part of the body."""

import time
from collections.abc import Iterable
from functools import lru_cache
from typing import Any  # gunicorn has no types

from gunicorn import util
from gunicorn.http.wsgi import FileWrapper, Response


class OneSendResponse(Response):  # type: ignore[misc]  # gunicorn has no types
    """A short answer is one system call here, and one packet for the client."""

    headers_sent: bool
    _head = b""

    def send(self, parts: Iterable[bytes]) -> None:
        """Send what an application returned, and close that."""
        try:
            if isinstance(parts, FileWrapper):
                self.write_file(parts)
            else:
                for part in parts:
                    self.write(part)
            self.close()
        finally:
            if hasattr(parts, "close"):
                parts.close()

    def send_headers(self) -> None:
        if self.headers_sent:
            return
        lines = [*self.default_headers(), *(f"{name}: {value}\r\n" for name, value in self.headers), "\r\n"]
        self._head = "".join(lines).encode("latin-1")
        self.headers_sent = True

    def default_headers(self) -> list[str]:
        major, minor = self.req.version
        lines = [
            f"HTTP/{major}.{minor} {self.status}\r\n",
            f"Server: {self.version}\r\n",
            f"Date: {_http_date(int(time.time()))}\r\n",
            f"Connection: {'close' if self.should_close() else 'keep-alive'}\r\n",
        ]
        return [*lines, "Transfer-Encoding: chunked\r\n"] if self.chunked else lines

    def _emit_body(self, data: bytes) -> None:
        self._send(b"%X\r\n%b\r\n" % (len(data), data) if self.chunked else data)

    def sendfile(self, respiter: Any) -> bool:
        self.send_headers()
        self._send(b"")
        return bool(super().sendfile(respiter))

    def close(self) -> None:
        self.send_headers()
        self._send(b"0\r\n\r\n" if self.chunked else b"")

    def _send(self, data: bytes) -> None:
        head, self._head = self._head, b""
        if head or data:
            self.sock.sendall(head + data)


@lru_cache(maxsize=1)
def _http_date(now: int) -> str:
    return str(util.http_date(now))
