"""Processes that end, and clients that are slow, under load: only what was in flight may suffer."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from functools import partial

import pytest

from tests.faults.requests import metadata, mixed
from tests.load import Load, LoadResult, load
from tests.server import SiteServer, wait_for

CLIENTS = 8


def test_many_clients_get_their_own_answers(server: SiteServer) -> None:
    outcome = Load(server.port, 16, mixed, count=400).start().join()
    assert outcome.errors == []
    assert outcome.count == 400


def test_a_killed_worker_costs_only_what_it_was_doing_and_is_back_at_once(server: SiteServer) -> None:
    wait_for(lambda: len(server.workers()) == 2, "two workers")
    with load(server.port, CLIENTS, metadata) as outcome:
        wait_for(lambda: outcome.count > 50, "load")
        victim = server.busiest_worker()
        os.kill(victim, signal.SIGKILL)
        killed = time.monotonic()
        wait_for(lambda: len(set(server.workers()) - {victim}) == 2, "a new worker")
        back = time.monotonic() - killed
        count = outcome.count
        wait_for(lambda: outcome.count > count + 50, "load goes on")
    assert back < 15, "at once; bench.faults.server measures it"
    assert 0 < len(outcome.errors) <= CLIENTS
    assert all(failure.opened < killed for failure in outcome.errors)


@pytest.fixture
def usual(server: SiteServer) -> float:
    """How long most requests take on this machine, as it is just now."""
    return Load(server.port, CLIENTS, metadata, count=60).start().join().percentile(0.95)


@pytest.fixture
def slow_clients(server: SiteServer, usual: float) -> Iterator[list[socket.socket]]:
    """Fifty clients that stop in the middle: of the header, of the body, or of reading the answer."""
    body = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"
    reading = b"GET /papers/456/source/ HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20
    beginnings = [b"GET / HTTP/1.1\r\nHost: local", body, reading]
    opened = []
    for number in range(50):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", server.port))
        client.sendall(beginnings[number % 3])
        opened.append(client)
    yield opened
    for client in opened:
        client.close()


def served(outcome: LoadResult, answers: int) -> bool:
    return outcome.count >= answers


def test_fifty_slow_clients_leave_the_others_served(
    server: SiteServer, slow_clients: list[socket.socket], usual: float
) -> None:
    with load(server.port, CLIENTS, metadata) as outcome:
        for answers in range(30, 180, 30):
            wait_for(partial(served, outcome, answers), "honest clients are served")
            for client in slow_clients[::3]:
                client.sendall(b"x")  # one more byte of the header
    assert len(outcome.errors) <= outcome.count * 0.01
    assert outcome.percentile(0.95) < 2 + 10 * usual, "two seconds, and what a busy machine takes"
