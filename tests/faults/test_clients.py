"""Clients that send nonsense, too little, too slowly, or too much at once."""

import json
import resource
import select
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from papercore import limits
from tests.faults.conftest import MakeServer
from tests.faults.requests import metadata
from tests.load import Load
from tests.server import SiteServer, rpc, wait_for

HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
START = json.dumps(rpc("tools/call", {"name": "start_search", "arguments": {"query": "attention"}})).encode()
CHUNK = b"%x\r\n%b\r\n" % (len(START), START)


def answer_to(port: int, request: bytes, *, half_close: bool = True) -> bytes:
    with socket.create_connection(("127.0.0.1", port), 60) as client:
        client.sendall(request)
        if half_close:
            client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(65536), b""))


MALFORMED = {
    "no last chunk": CHUNKED + CHUNK,
    "last chunk cut": CHUNKED + CHUNK + b"0\r\n",
    "no number": CHUNKED + b"x\r\n" + CHUNK,
    "negative": CHUNKED + CHUNK + b"-1\r\n\r\n",
    "hexadecimal prefix": CHUNKED + b"0x%x\r\n%b\r\n0\r\n\r\n" % (len(START), START),
    "blank before the number": CHUNKED + b" %b0\r\n\r\n" % CHUNK,
    "data longer than its number": CHUNKED + b"%x\r\n%b\r\n0\r\n\r\n" % (len(START) - 1, START),
    "data shorter than its number": CHUNKED + b"%x\r\n%b\r\n0\r\n\r\n" % (len(START) + 1, START),
    "newlines alone": CHUNKED + b"%x\n%b\n0\n\n" % (len(START), START),
    "broken extension": CHUNKED + b"%x;=\r\n%b\r\n0\r\n\r\n" % (len(START), START),
    "broken trailer": CHUNKED + CHUNK + b"0\r\nno colon\r\n\r\n",
    "shorter than its length": HEAD + b"Content-Length: %d\r\n\r\n%b" % (len(START) + 1, START),
    "two lengths": HEAD + b"Content-Length: %d\r\nContent-Length: 1\r\n\r\n%b" % (len(START), START),
}


def started(server: SiteServer) -> int:
    return sum(line["tool"] == "start_search" for line in server.lines("tool call"))


@pytest.mark.parametrize("request_bytes", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_body_is_400_and_is_not_run(request_bytes: bytes, single: SiteServer) -> None:
    before = started(single)
    answer = answer_to(single.port, request_bytes)
    assert answer.startswith(b"HTTP/1.1 400"), answer
    assert answer.count(b"HTTP/1.1") == 1
    assert started(single) == before


def test_the_same_body_well_formed_is_run(single: SiteServer) -> None:
    before = started(single)
    assert answer_to(single.port, CHUNKED + CHUNK + b"0\r\n\r\n").startswith(b"HTTP/1.1 200")
    assert started(single) == before + 1


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.0\r\n\r\n", 200),
        (b"TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        (b"TRACE /static/site.css HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        (b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nSCRIPT_NAME: /healthz\r\n\r\n", 200),
        (HEAD + b"Content-Length: 1000001\r\n\r\n", 413),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-Filler: %b\r\n" % (b"x" * 8000) * 9, 431),
    ],
)
def test_odd_requests_have_their_status(request_bytes: bytes, status: int, single: SiteServer) -> None:
    assert answer_to(single.port, request_bytes).split(maxsplit=2)[1] == b"%d" % status


def test_a_client_that_wants_to_be_asked_for_its_body_is(single: SiteServer) -> None:
    with socket.create_connection(("127.0.0.1", single.port), 60) as client:
        client.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 40\r\nConnection: close\r\n\r\n")
        assert client.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
        rest = b"".join(iter(lambda: client.recv(65536), b""))
    assert rest.startswith(b"HTTP/1.1 200")


def test_requests_sent_at_once_are_answered_one_after_the_other(single: SiteServer) -> None:
    get = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = answer_to(
        single.port, get * 5 + get.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), half_close=False
    )
    assert answer.count(b"HTTP/1.1 200") == 6


@pytest.mark.parametrize("parts", [2, 3, 20])
def test_a_request_that_follows_at_once_in_parts_is_answered(parts: int, single: SiteServer) -> None:
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    request = HEAD + b"Content-Length: %d\r\n\r\n%b" % (len(ping), ping)
    size = len(request) // parts
    with socket.create_connection(("127.0.0.1", single.port), 60) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        answers = client.makefile("rb")
        client.sendall(request + request[:size])
        assert answers.readline().startswith(b"HTTP/1.1 200")
        for start in range(size, len(request), size):
            client.sendall(request[start : start + size])
        client.shutdown(socket.SHUT_WR)
        assert answers.read().count(b"HTTP/1.1 200") == 1


def test_a_bad_request_behind_a_good_one_is_400_and_not_run(single: SiteServer) -> None:
    before = started(single)
    answer = answer_to(single.port, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" + MALFORMED["two lengths"])
    assert answer.count(b"HTTP/1.1 200") == answer.count(b"HTTP/1.1 400") == 1
    assert started(single) == before


def test_more_clients_that_ask_at_once_again_than_there_are_threads_are_all_answered(single: SiteServer) -> None:
    assert Load(single.port, 100, metadata, count=1000).start().join().errors == []


@pytest.fixture
def drippers(single: SiteServer) -> Iterator[list[socket.socket]]:
    """More clients than there are threads, each with a request that does not go on."""
    beginnings = [b"G", HEAD, HEAD + b"Content-Length: 500\r\n\r\n{", CHUNKED + b"FF\r\n{"]
    with ExitStack() as stack:
        opened = [stack.enter_context(socket.create_connection(("127.0.0.1", single.port), 60)) for _ in range(130)]
        for number, client in enumerate(opened):
            client.sendall(beginnings[number % len(beginnings)])
        yield opened


@pytest.mark.long
def test_clients_that_send_a_little_and_wait_hold_nobody_up_and_are_let_go(
    single: SiteServer, drippers: list[socket.socket]
) -> None:
    outcome = Load(single.port, 8, metadata, count=200).start().join()
    assert outcome.errors == []
    for client in drippers:
        assert client.recv(1000).startswith(b"HTTP/1.1 408")


def test_a_stop_does_not_wait_for_clients_stuck_in_their_header(
    single: SiteServer, drippers: list[socket.socket]
) -> None:
    opened = time.monotonic()
    single.get("/healthz")
    single.signal(signal.SIGTERM)
    for client in drippers:
        assert client.recv(1000).startswith(b"HTTP/1.1 408")
    seconds = time.monotonic() - opened
    assert single.process.wait(60) == 0
    single.restart()
    # They are let go by the stop, not by the limit on every request.
    assert seconds < limits.REQUEST_SECONDS - 1


def test_a_server_without_free_file_descriptors_refuses_connections_and_goes_on(make_server: MakeServer) -> None:
    server = make_server(WEB_CONCURRENCY="1")
    server.wait_until_up()
    (worker,) = server.workers()
    used = max(int(descriptor.name) for descriptor in Path(f"/proc/{worker}/fd").iterdir())
    usual = resource.prlimit(worker, resource.RLIMIT_NOFILE)
    resource.prlimit(worker, resource.RLIMIT_NOFILE, (used + 1, usual[1]))
    with ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 60)).sendall(b"G")
        wait_for(lambda: "No file descriptor is free" in server.log(), "connections are refused")
    resource.prlimit(worker, resource.RLIMIT_NOFILE, usual)
    wait_for(lambda: answers(server), "the site answers again")
    assert server.workers() == [worker]


def answers(server: SiteServer) -> bool:
    try:
        return server.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def test_more_connections_than_there_may_be_push_out_those_that_send_nothing(make_server: MakeServer) -> None:
    server = make_server(("prlimit", "--nofile=200:200"), WEB_CONCURRENCY="1")
    server.wait_until_up()
    with ExitStack() as stack:
        for _ in range(400):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 60)).sendall(b"G")
        assert server.get("/healthz").status_code == 200


def test_only_so_many_large_files_are_on_their_way_at_once(single: SiteServer) -> None:
    permit = single.get("/check/").headers["set-cookie"].partition(";")[0]
    length = limits.STRANGER_UPLOAD_BYTES
    head = f"POST /check/ HTTP/1.1\r\nHost: localhost\r\nCookie: {permit}\r\nContent-Length: {length}\r\n\r\n"
    with ExitStack() as stack:
        opened = [
            stack.enter_context(socket.create_connection(("127.0.0.1", single.port), 60))
            for _ in range(limits.ARRIVING_FILES + 1)
        ]
        for client in opened:
            client.sendall(head.encode())
        (answered, *_), _, _ = select.select(opened, [], [], 60)
        assert answered.recv(1000).startswith(b"HTTP/1.1 503")
        assert single.get("/healthz").status_code == 200
