"""One request as its bytes arrive: the only place that decides how long it is. What it cannot parse it refuses.

Gunicorn's parser reads the head, once and from memory; the body is taken out of its framing here. So a thread is given
a whole request and never waits for a client, and nothing reads a length twice.
"""

import re
from collections.abc import Callable
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, Any  # gunicorn has no types

from gunicorn.http.body import CHUNK_EXT_RE
from gunicorn.http.errors import ExpectationFailed, LimitRequestHeaders, LimitRequestLine, ParseException
from gunicorn.http.message import Request
from gunicorn.http.unreader import Unreader

from papercore import limits

# How many bytes of body the route of a request takes, asked for bodies that are larger than usual.
BodyLimit = Callable[[Request], int]

_BARE_NEWLINE = re.compile(rb"(?<!\r)\n")
_CHUNK_SIZE = re.compile(rb"[0-9a-fA-F]+")
# The longest line between chunks.
_LINE_BYTES = 8190


class RequestRefused(Exception):
    """The request is answered with this status, and the connection closed."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class GivenBytes(Unreader):  # type: ignore[misc]  # gunicorn has no types
    """What gunicorn's parser reads from: these bytes, and then the end."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.unread(data)

    def chunk(self, size_hint: int | None = None) -> bytes:
        return b""


def parse_head(data: bytes, config: Any, peer: Any) -> Request:  # Any: gunicorn's
    """The request line and the headers. RequestRefused unless they are exactly what was given."""
    source = GivenBytes(data)
    try:
        head = Request(config, source, peer)
    except LimitRequestHeaders:
        raise RequestRefused(431, "Request Header Fields Too Large") from None
    except LimitRequestLine:
        raise RequestRefused(414, "URI Too Long") from None
    except ExpectationFailed:
        raise RequestRefused(417, "Expectation Failed") from None
    except (ParseException, StopIteration):
        raise RequestRefused(400, "Bad Request") from None
    hosts = sum(name == "HOST" for name, _ in head.headers)
    if source.take_buffered() or (head.version >= (1, 1) and hosts != 1):
        raise RequestRefused(400, "Bad Request")
    return head


class IncomingRequest:
    """Takes bytes until the request is complete, or `add` raises RequestRefused."""

    def __init__(self, config: Any, peer: Any, body_limit: BodyLimit) -> None:  # Any: gunicorn's
        self._config, self._peer, self._body_limit = config, peer, body_limit
        self.head: Request | None = None
        self.body: IO[bytes] = BytesIO()
        self.has_begun = self.is_complete = False
        # What has not been taken yet: when the request is complete, the beginning of the next.
        self.rest = bytearray()
        self._searched = 0
        self._size, self._most = 0, limits.BODY_BYTES
        self._missing = 0
        self._trailers: list[bytes] = []
        self._next_step: Callable[[], bool] = self._read_head

    @property
    def bytes_in_memory(self) -> int:
        return len(self.rest) + (0 if self.is_in_file else self.body.tell())

    @property
    def is_in_file(self) -> bool:
        return not isinstance(self.body, BytesIO)

    def add(self, data: bytes) -> None:
        self.has_begun = True
        self.rest += data
        while not self.is_complete and self._next_step():
            pass

    def close(self) -> None:
        self.body.close()

    def _read_head(self) -> bool:
        """Each step says whether there may be enough for the next one."""
        end = self.rest.find(b"\r\n\r\n", max(0, self._searched - 3))
        if end < 0:
            if _BARE_NEWLINE.search(self.rest, self._searched):
                raise RequestRefused(400, "Bad Request")
            if len(self.rest) > limits.HEAD_BYTES:
                raise RequestRefused(431, "Request Header Fields Too Large")
            self._searched = len(self.rest)
            return False
        self.head = parse_head(self._take(end + 4), self._config, self._peer)
        fields = dict(self.head.headers)
        if "TRANSFER-ENCODING" in fields:
            if fields["TRANSFER-ENCODING"].lower() != "chunked":
                raise RequestRefused(501, "Not Implemented")
            self._next_step = self._read_chunk_size
        else:
            self._expect_body(int(fields.get("CONTENT-LENGTH", 0)), self._end)
        return True

    def _take(self, number: int) -> bytes:
        taken = bytes(self.rest[:number])
        del self.rest[:number]
        return taken

    def _expect_body(self, number: int, then: Callable[[], bool]) -> None:
        self._count(number)
        self._missing = number
        self._next_step = lambda: self._read_body(then)

    def _count(self, number: int) -> None:
        """Add to the size of the body. One that is larger than usual goes to a file, if its route takes it."""
        self._size += number
        if self._size > self._most == limits.BODY_BYTES:
            self._most = max(self._most, self._body_limit(self.head))
            if self._size <= self._most:
                self._move_to_file()
        if self._size > self._most:
            raise RequestRefused(413, "Content Too Large")

    def _move_to_file(self) -> None:
        in_memory, self.body = self.body, TemporaryFile(prefix="papersite-body-")  # noqa: SIM115 (closed by `close`)
        in_memory.seek(0)
        self._write(in_memory.read())

    def _write(self, data: bytes) -> None:
        try:
            self.body.write(data)
        except OSError:
            raise RequestRefused(507, "Insufficient Storage") from None

    def _read_body(self, then: Callable[[], bool]) -> bool:
        data = self._take(self._missing)
        self._missing -= len(data)
        self._write(data)
        if self._missing:
            return False
        self._next_step = then
        return True

    def _end(self) -> bool:
        self.body.seek(0)
        self.is_complete = True
        return False

    def _read_chunk_size(self) -> bool:
        line = self._read_line()
        if line is None:
            return False
        digits, separator, extension = line.partition(b";")
        if separator:
            digits = digits.rstrip(b" \t")
        if not (_CHUNK_SIZE.fullmatch(digits) and CHUNK_EXT_RE.fullmatch(separator + extension)):
            raise RequestRefused(400, "Bad Request")
        if size := int(digits, 16):
            self._expect_body(size, self._read_chunk_end)
        else:
            self._next_step = self._read_trailer
        return True

    def _read_chunk_end(self) -> bool:
        if len(self.rest) < len(b"\r\n"):
            return False
        if self._take(2) != b"\r\n":
            raise RequestRefused(400, "Bad Request")
        self._next_step = self._read_chunk_size
        return True

    def _read_trailer(self) -> bool:
        """Trailers end with an empty line. They are checked as headers are, and dropped."""
        line = self._read_line()
        if line:
            self._trailers.append(line)
        if line != b"":
            return line is not None
        try:
            if self._trailers and self.head:
                self.head.parse_headers(b"\r\n".join(self._trailers), from_trailer=True)
        except ParseException:
            raise RequestRefused(400, "Bad Request") from None
        return self._end()

    def _read_line(self) -> bytes | None:
        """The next line between chunks; None if it has not all arrived."""
        end = self.rest.find(b"\r\n")
        if end > _LINE_BYTES or (end < 0 and (len(self.rest) > _LINE_BYTES or _BARE_NEWLINE.search(self.rest))):
            raise RequestRefused(400, "Bad Request")
        if end < 0:
            return None
        self._count(end + 2)
        return self._take(end + 2)[:-2]
