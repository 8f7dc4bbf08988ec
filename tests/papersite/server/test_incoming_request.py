"""When a request is complete: as soon as all of it is there, and not before; and what is refused."""

import pytest
from gunicorn.config import Config

from papercore import limits
from papersite.server.incoming_request import IncomingRequest, RequestRefused

CONFIG = Config()
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
WHOLE = [
    (GET, b""),
    (POST + b"hello", b"hello"),
    (POST.replace(b"Content-Length: ", b"content-length:\t") + b"hello", b"hello"),
    (CHUNKED + b"5\r\nhello\r\n0\r\n\r\n", b"hello"),
    (CHUNKED + b"5;note=1\r\nhello\r\nA\r\n0123456789\r\n0\r\nDigest: x\r\n\r\n", b"hello0123456789"),
]


def incoming(most_bytes: int = limits.BODY_BYTES) -> IncomingRequest:
    return IncomingRequest(CONFIG, ("127.0.0.1", 1), lambda head: most_bytes)


@pytest.mark.parametrize(("whole", "body"), WHOLE)
def test_it_is_complete_with_its_last_byte_however_it_comes(whole: bytes, body: bytes) -> None:
    by_bytes = incoming()
    for position in range(len(whole)):
        assert not by_bytes.is_complete, whole[:position]
        by_bytes.add(whole[position : position + 1])
    at_once = incoming()
    at_once.add(whole + GET)
    assert by_bytes.is_complete
    assert at_once.is_complete
    assert by_bytes.body.read() == at_once.body.read() == body
    assert (bytes(by_bytes.rest), bytes(at_once.rest)) == (b"", GET)


def status_of(data: bytes, most_bytes: int = limits.BODY_BYTES) -> int:
    """What the data is refused with; 0 if it is not."""
    try:
        incoming(most_bytes).add(data)
    except RequestRefused as refused:
        return refused.status
    return 0


@pytest.mark.parametrize(
    "broken",
    [
        b"GET / HTTP/1.1\nHost: x\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\r\n\r\n",
        POST.replace(b"5", b"five"),
        POST.replace(b"5", b"+5"),
        POST.replace(b"5", b"5_0"),
        POST.replace(b"5", b"-5"),
        POST.replace(b"5", b"9" * 5000),
        POST.replace(b"Host: x", b"Content-Length: 5\r\nHost: x"),
        POST.replace(b"Host: x", b"Transfer-Encoding: chunked\r\nHost: x"),
        CHUNKED + b"x\r\n",
        CHUNKED + b"-5\r\n",
        CHUNKED + b"5 5\r\n",
        CHUNKED + b"5\r\nhello!!",
        CHUNKED + b"5\nhello",
        CHUNKED + b"5" * 10_000,
        CHUNKED + b"0\r\nContent-Length: 5\r\n\r\n",
    ],
)
def test_what_cannot_become_valid_is_refused_at_once(broken: bytes) -> None:
    assert status_of(broken) == 400


def with_length(length: int) -> bytes:
    return POST.replace(b"5", b"%d" % length)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (with_length(limits.BODY_BYTES), 0),
        (with_length(limits.BODY_BYTES + 1), 413),
        (with_length(10**17), 413),
        (with_length(10**18), 413),
        (with_length(10**100), 413),
        (CHUNKED + b"%x\r\n" % (limits.BODY_BYTES - 100), 0),
        (CHUNKED + b"%x\r\n" % (limits.BODY_BYTES + 1), 413),
        (CHUNKED + b"F" * 16 + b"\r\n", 413),
        (CHUNKED + b"F" * 17 + b"\r\n", 413),
        (b"GET / HTTP/1.1\r\n" + b"X: %b\r\n" % (b"x" * (limits.HEAD_BYTES - 30)), 0),
        (b"GET / HTTP/1.1\r\n" + b"X: %b\r\n" % (b"x" * limits.HEAD_BYTES), 431),
        (CHUNKED.replace(b"chunked", b"gzip, chunked"), 501),
    ],
)
def test_too_large_a_request_is_refused_before_it_has_come(data: bytes, status: int) -> None:
    assert status_of(data) == status


def test_a_large_body_that_its_route_takes_goes_to_a_file() -> None:
    size = limits.BODY_BYTES + 1
    assert status_of(with_length(size), size - 1) == 413
    for data in (with_length(size) + b"x" * size, CHUNKED + b"%x\r\n%b\r\n0\r\n\r\n" % (size, b"x" * size)):
        request = incoming(2 * size)
        for start in range(0, len(data), 65_536):
            request.add(data[start : start + 65_536])
            assert request.bytes_in_memory <= 65_536 + limits.BODY_BYTES
        assert request.is_complete
        assert request.body.read() == b"x" * size
        assert request.bytes_in_memory == 0
        request.close()


def test_a_client_that_wants_to_be_asked_for_the_body_is_recognised() -> None:
    request = incoming()
    request.add(POST.replace(b"Host", b"Expect: 100-continue\r\nHost"))
    assert request.head
    assert request.head._expected_100_continue
    assert not request.is_complete
