"""When a request is complete: as soon as all of it is there, and not before."""

import pytest

from papercore import limits
from papersite.server.incoming_request import IncomingRequest

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
WHOLE = [
    GET,
    POST + b"hello",
    POST.replace(b"Content-Length", b"content-length ") + b"hello",
    CHUNKED + b"5\r\nhello\r\n0\r\n\r\n",
    CHUNKED + b"5;note=1\r\nhello\r\nA\r\n0123456789\r\n0\r\nDigest: x\r\n\r\n",
]


@pytest.mark.parametrize("whole", WHOLE)
def test_it_is_complete_with_its_last_byte_however_it_comes(whole: bytes) -> None:
    by_bytes = IncomingRequest()
    for position in range(len(whole)):
        assert not by_bytes.is_complete, whole[:position]
        by_bytes.add(whole[position : position + 1])
    at_once = IncomingRequest()
    at_once.add(whole + GET)
    assert by_bytes.is_complete
    assert at_once.is_complete
    assert not at_once.is_too_large


@pytest.mark.parametrize(
    "broken",
    [
        b"GET / HTTP/1.1\nHost: x\n",
        POST.replace(b"5", b"five"),
        CHUNKED + b"x\r\n",
        CHUNKED + b"-5\r\n",
        CHUNKED + b"5 5\r\n",
        CHUNKED + b"5\r\nhello!!",
        CHUNKED + b"5\nhello",
        CHUNKED + b"5" * 10_000,
    ],
)
def test_what_cannot_become_valid_is_not_waited_for(broken: bytes) -> None:
    request = IncomingRequest()
    request.add(broken)
    assert request.is_complete or request.is_too_large


def with_length(length: int) -> bytes:
    return POST.replace(b"5", b"%d" % length)


@pytest.mark.parametrize(
    ("data", "too_large"),
    [
        (with_length(limits.BODY_BYTES), False),
        (with_length(limits.BODY_BYTES + 1), True),
        (with_length(10**17), True),
        (CHUNKED + b"%x\r\n" % (limits.BODY_BYTES - 100), False),
        (CHUNKED + b"%x\r\n" % (limits.BODY_BYTES + 1), True),
        (CHUNKED + b"F" * 16 + b"\r\n", True),
        (b"GET / HTTP/1.1\r\n" + b"X: %b\r\n" % (b"x" * (limits.HEAD_BYTES - 30)), False),
        (b"GET / HTTP/1.1\r\n" + b"X: %b\r\n" % (b"x" * limits.HEAD_BYTES), True),
    ],
)
def test_too_large_a_request_is_known_before_it_has_come(data: bytes, too_large: bool) -> None:
    request = IncomingRequest()
    request.add(data)
    assert request.is_too_large == too_large


def test_a_client_that_wants_to_be_asked_for_the_body_is_recognised() -> None:
    request = IncomingRequest()
    request.add(POST.replace(b"Host", b"Expect: 100-continue\r\nHost"))
    assert request.expects_continue
    assert not request.is_complete
