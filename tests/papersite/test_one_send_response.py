"""Answers on the wire: what is sent, and in how many pieces."""

import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from gunicorn.config import Config
from gunicorn.http.wsgi import FileWrapper

from papersite.one_send_response import OneSendResponse

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def sockets() -> Iterator[Pair]:
    """Each send arrives as one message."""
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in pair:
        end.settimeout(10)
    yield pair
    for end in pair:
        end.close()


def response(server: socket.socket, *headers: tuple[str, str], method: str = "GET") -> OneSendResponse:
    request = SimpleNamespace(version=(1, 1), method=method, should_close=lambda: False)
    made = OneSendResponse(request, server, Config())
    made.start_response("200 OK", list(headers))
    return made


def messages(sockets: Pair) -> list[bytes]:
    client, server = sockets
    server.close()
    return list(iter(lambda: client.recv(65536), b""))


def test_a_short_answer_is_one_message(sockets: Pair) -> None:
    response(sockets[1], ("Content-Length", "2"), ("X-Name", "v")).send([b"{}"])
    (message,) = messages(sockets)
    head, body = message.split(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    assert lines[:2] == [b"HTTP/1.1 200 OK", b"Server: gunicorn"]
    assert lines[2].startswith(b"Date: ")
    assert lines[2].endswith(b" GMT")
    assert lines[3:] == [b"Connection: keep-alive", b"Content-Length: 2", b"X-Name: v"]
    assert body == b"{}"


def test_an_answer_of_unknown_length_comes_in_chunks_the_first_with_the_head(sockets: Pair) -> None:
    response(sockets[1]).send([b"a" * 20, b"", b"b"])
    first, *others = messages(sockets)
    assert first.endswith(b"Transfer-Encoding: chunked\r\n\r\n14\r\n" + b"a" * 20 + b"\r\n")
    assert others == [b"1\r\nb\r\n", b"0\r\n\r\n"]


@pytest.mark.parametrize(("method", "length"), [("HEAD", "5"), ("GET", "0")])
def test_an_answer_without_a_body_is_its_head(method: str, length: str, sockets: Pair) -> None:
    response(sockets[1], ("Content-Length", length), method=method).send([])
    (message,) = messages(sockets)
    assert message.endswith(b"Content-Length: %b\r\n\r\n" % length.encode())


def test_a_file_follows_its_head(sockets: Pair, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"content")
    with file.open("rb") as opened:
        response(sockets[1], ("Content-Length", "7")).send(FileWrapper(opened))
    head, content = messages(sockets)
    assert head.endswith(b"\r\n\r\n")
    assert content == b"content"


def test_no_more_is_sent_than_was_announced(sockets: Pair) -> None:
    response(sockets[1], ("Content-Length", "3")).send([b"abcdef", b"ghi"])
    (message,) = messages(sockets)
    assert message.endswith(b"\r\n\r\nabc")


def test_what_the_application_returned_is_closed_though_the_client_is_gone(sockets: Pair) -> None:
    closed = []

    class Parts(list[bytes]):
        def close(self) -> None:
            closed.append(True)

    client, server = sockets
    client.close()
    with pytest.raises(BrokenPipeError):
        response(server, ("Content-Length", "2")).send(Parts([b"{}"]))
    assert closed == [True]
