"""Generated heads and bodies: our idea of a complete request is gunicorn's, or the request is refused."""

from random import Random
from typing import NamedTuple

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import ParseException
from gunicorn.http.message import Request

from papersite.server.incoming_request import GivenBytes, IncomingRequest, RequestRefused

CONFIG = Config()
PEER = ("127.0.0.1", 1)
LENGTHS = [b"0", b"5", b"05", b"+5", b"-5", b" 5", b"5 ", b"5,5", b"0x5", b"5_0", b"5.0", b"", b"\xb2", b"9" * 18]
LENGTHS += [b"9" * 19, b"1" + b"0" * 30, b"9" * 5000, b"5\x00", b"5\t"]
CODINGS = [b"chunked", b"Chunked", b"chunked, chunked", b"gzip, chunked", b"identity", b"chunked ", b"xchunked"]
CODINGS += [b"chunked\x0b", b"", b"chunked;q=1"]
SIZES = [b"5", b"05", b"5;a", b'5;a="b;c"', b"5 ;a=b", b"5 ", b" 5", b"+5", b"-5", b"0x5", b"5_", b"", b"g", b"0" * 40]
SIZES += [b"F" * 16, b"F" * 17, b"5;", b"5;\x00", b"5\x00", b"00000000000000005"]
LINES = [b"GET / HTTP/1.1", b"POST /mcp HTTP/1.1", b"POST /mcp HTTP/1.0", b"POST / HTTP/2.0", b"post / HTTP/1.1"]
LINES += [b"POST  / HTTP/1.1", b"\r\nPOST / HTTP/1.1", b"\r\n\r\nPOST / HTTP/1.1", b"POST /\xe9 HTTP/1.1", b"POST"]
ENDS = [b"\r\n"] * 12 + [b"\n", b"\r", b"\r\r\n"]
NAMES = [b"Content-Length", b"content-length", b"Content-Length ", b"Content_Length", b" Content-Length"]
CODING_NAMES = [b"Transfer-Encoding", b"TRANSFER-ENCODING", b"Transfer_Encoding", b"Transfer-Encoding "]
OTHERS = [b"Host: x", b"X: y", b"X:", b": y", b"nocolon", b" folded", b"Expect: 100-continue", b"Expect: tea"]
TRAILERS = [b"", b"", b"", b"Digest: x\r\n", b"Host: y\r\n", b"nocolon\r\n", b"A: b\n", b"Content-Length: 3\r\n"]


class Outcome(NamedTuple):
    """What became of some bytes: complete with a body and a rest, or in need of more."""

    is_complete: bool
    body: bytes = b""
    rest: bytes = b""


def generated(random: Random) -> bytes:
    """One request that is nearly right, and what may follow it."""
    likely = random.random() < 0.6
    lines = [random.choice(LINES[:2] if likely else LINES), b"Host: x"]
    if random.random() < 0.6:
        lines += [
            random.choice(NAMES[:2] if likely else NAMES) + b": " + random.choice(LENGTHS)
            for _ in range(random.choice((1, 1, 1, 2)))
        ]
    if random.random() < 0.5:
        lines.append(random.choice(CODING_NAMES[:2] if likely else CODING_NAMES) + b": " + random.choice(CODINGS))
    if random.random() < 0.3:
        lines.insert(random.randrange(1, len(lines) + 1), random.choice(OTHERS))
    ends = ENDS[:1] if likely else ENDS
    head = b"".join(line + random.choice(ends) for line in lines) + random.choice(ends)
    return head + random.choice((plain_body, chunked_body))(random) + random.choice((b"", b"GET / HTTP/1.1\r\n"))


def plain_body(random: Random) -> bytes:
    return b"hello and more"[: random.randrange(15)]


def chunked_body(random: Random) -> bytes:
    likely = random.random() < 0.6
    body = b""
    for _ in range(random.randrange(4)):
        size = random.choice(SIZES[:4] if likely else SIZES)
        body += size + random.choice(ENDS[:1] if likely else ENDS) + random.choice((b"hello", b"hell", b"hello!"))
        body += random.choice(ENDS)
    return body + random.choice((b"0\r\n", b"00\r\n", b"0;a\r\n", b"")) + random.choice(TRAILERS) + random.choice(ENDS)


def ours(data: bytes, random: Random) -> Outcome | None:
    """The bytes in pieces of any size; None if they are refused."""
    request = IncomingRequest(CONFIG, PEER, lambda head: 0)
    try:
        start = 0
        while start < len(data) and not request.is_complete:
            end = start + random.choice((1, 2, 7, 50, 9000))
            request.add(data[start:end])
            start = end
    except RequestRefused:
        return None
    return Outcome(True, request.body.read(), bytes(request.rest) + data[start:]) if request.is_complete else INCOMPLETE


INCOMPLETE = Outcome(is_complete=False)


def gunicorns(data: bytes) -> Outcome | None:
    """The same bytes read by gunicorn as if the client had then closed the connection."""
    source = GivenBytes(data)
    try:
        request = Request(CONFIG, source, PEER)
        body = request.body.read()
    except (ParseException, StopIteration, OSError) as error:
        # The end came where more was expected.
        return INCOMPLETE if type(error).__name__ in ("NoMoreData", "StopIteration") else None
    lengths = [value for name, value in request.headers if name == "CONTENT-LENGTH"]
    if lengths and len(body) < int(lengths[0]):
        return INCOMPLETE
    return Outcome(True, body, source.take_buffered())


@pytest.mark.parametrize("count", [4_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_our_idea_of_a_request_is_gunicorns_or_it_is_refused(count: int) -> None:
    random = Random(29)
    outcomes = {"complete": 0, "incomplete": 0, "refused": 0}
    for _ in range(count):
        data = generated(random)
        found = ours(data, random)
        if found is None:
            outcomes["refused"] += 1
        elif found.is_complete:
            outcomes["complete"] += 1
            assert found == gunicorns(data), data
        else:
            outcomes["incomplete"] += 1
            theirs = gunicorns(data)
            # The poller waits for more, for a limited time. What gunicorn refuses by now, we may refuse later.
            assert theirs is None or not theirs.is_complete, data
    assert min(outcomes.values()) > count / 50, outcomes
