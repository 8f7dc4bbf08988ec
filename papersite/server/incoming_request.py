"""The bytes of one request as they arrive, and whether all of them are there. Gunicorn checks what they say."""

import re
from collections.abc import Callable

from papercore import limits

_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
_TRANSFER_ENCODING = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.IGNORECASE)
_EXPECT = re.compile(rb"\r\nexpect[ \t]*:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)
# The page that files are sent to.
_UPLOAD = re.compile(rb"POST /library/add/ HTTP/1\.[01]\r\n")
_CHUNK_SIZE = re.compile(rb"[0-9a-f]{1,16}(?=[ \t]*(?:;|\Z))", re.IGNORECASE)
_BARE_NEWLINE = re.compile(rb"(?<!\r)\n")
# The longest line between chunks that gunicorn reads.
_LINE_BYTES = 8190


class IncomingRequest:
    """Takes bytes, each of which it looks at once.

    A request that can no longer become valid is complete too: gunicorn is to refuse it at once.
    """

    def __init__(self) -> None:
        self.data = bytearray()
        self.has_head = self.is_complete = self.is_too_large = self.expects_continue = False
        self._position = self._body_start = 0
        self._most = limits.BODY_BYTES
        self._next_step: Callable[[], bool] = self._read_head

    def add(self, data: bytes) -> None:
        self.data += data
        while not (self.is_complete or self.is_too_large) and self._next_step():
            pass

    def _read_head(self) -> bool:
        """Each step says whether there may be enough for the next one."""
        end = self.data.find(b"\r\n\r\n", max(0, self._position - 3))
        if end < 0:
            self.is_complete = bool(_BARE_NEWLINE.search(self.data, self._position))
            self.is_too_large = len(self.data) > limits.HEAD_BYTES
            self._position = len(self.data)
            return False
        head = bytes(self.data[: end + 2])
        self.has_head, self.expects_continue = True, bool(_EXPECT.search(head))
        self._position = self._body_start = end + 4
        if _UPLOAD.match(head):
            self._most = limits.UPLOAD_BYTES
        if _TRANSFER_ENCODING.search(head):
            self._next_step = self._read_chunk_size
            return True
        length = _CONTENT_LENGTH.search(head)
        if length is None:  # no body, or a length that gunicorn refuses
            self.is_complete = True
            return False
        self._expect_bytes(int(length[1]), self._read_body)
        return True

    def _expect_bytes(self, number: int, then: Callable[[], bool]) -> None:
        self._position += number
        self._next_step = then
        self.is_too_large = self._position - self._body_start > self._most

    def _read_body(self) -> bool:
        self.is_complete = len(self.data) >= self._position
        return False

    def _read_chunk_size(self) -> bool:
        line = self._line()
        if line is None:
            return False
        size = _CHUNK_SIZE.match(line)
        if size is None:
            self.is_complete = True
        elif number := int(size[0], 16):
            self._expect_bytes(number + len(b"\r\n"), self._read_chunk)
        else:
            self._next_step = self._read_trailer
        return True

    def _read_chunk(self) -> bool:
        if len(self.data) < self._position:
            return False
        self.is_complete = self.data[self._position - 2 : self._position] != b"\r\n"
        self._next_step = self._read_chunk_size
        return True

    def _read_trailer(self) -> bool:
        """Trailers end with an empty line."""
        line = self._line()
        self.is_complete = line == b""
        return line is not None

    def _line(self) -> bytes | None:
        """The next line between chunks; None if it has not all arrived. Too long a line is the end of the request."""
        start = self._position
        end = self.data.find(b"\r\n", start)
        if end < 0:
            self.is_complete = len(self.data) - start > _LINE_BYTES or bool(_BARE_NEWLINE.search(self.data, start))
            return None
        self._expect_bytes(end + 2 - start, self._next_step)
        return bytes(self.data[start:end])
