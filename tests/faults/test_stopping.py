"""HUP and TERM: a worker finishes what it has accepted. The clients never retry."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.faults.conftest import MakeServer
from tests.faults.requests import metadata, mixed
from tests.load import load
from tests.server import ROOT, SiteServer, environment, wait_for

CLIENTS = 8
# Between its fork and its first lines a worker has the signal handlers of the arbiter.
SLOW_FORK = """
import time
exec(open("gunicorn.conf.py").read())
fork_done = post_fork

def post_fork(server, worker):
    print("forked", flush=True)
    time.sleep(1)
    fork_done(server, worker)
"""
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


def test_a_reload_costs_nothing(server: SiteServer) -> None:
    before = set(server.workers())
    with load(server.port, CLIENTS, mixed) as outcome:
        wait_for(lambda: outcome.count > 20, "load")
        server.signal(signal.SIGHUP)
        wait_for(lambda: len(server.workers()) == 2 and not before & set(server.workers()), "new workers", 60)
        count = outcome.count
        wait_for(lambda: outcome.count > count + 20, "load goes on")
    assert outcome.errors == []


def test_a_restart_behind_a_kept_socket_costs_nothing(server: SiteServer) -> None:
    with load(server.port, CLIENTS, metadata) as outcome:
        wait_for(lambda: outcome.count > 50, "load")
        server.restart()
        count = outcome.count
        wait_for(lambda: outcome.count > count + 50, "load goes on", 60)
    assert outcome.errors == []


def test_an_end_without_a_successor_refuses_what_comes_later_and_loses_nothing_else(make_server: MakeServer) -> None:
    server = make_server(WEB_CONCURRENCY="2")
    server.wait_until_up()
    server.release_socket()
    with load(server.port, CLIENTS, metadata) as outcome:
        wait_for(lambda: outcome.count > 50, "load")
        asked = len(outcome.errors)
        server.signal(signal.SIGTERM)
        assert server.process.wait(60) == 0
    assert asked == 0
    # Keep-alive connections got `Connection: close`; what failed was sent on a new one that was never accepted.
    assert all(failure.asked <= failure.opened for failure in outcome.errors), outcome.kinds


def test_an_end_right_after_the_start_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "slow_fork.py").write_text(SLOW_FORK, encoding="utf-8")
    (tmp_path / "nothing.py").write_text("def application(environ, start_response): ...", encoding="utf-8")
    command = [sys.executable, "-m", "gunicorn", "--config", str(tmp_path / "slow_fork.py"), "--workers", "1"]
    with subprocess.Popen(
        [*command, "--bind", "127.0.0.1:0", "nothing:application"],
        cwd=ROOT,
        env=environment(tmp_path, PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "forked\n"
        process.terminate()
        # The arbiter would wait for 30 s for a worker that has heard nothing.
        assert process.wait(20) == 0


@contextmanager
def kept(port: int, number: int) -> Iterator[list[http.client.HTTPConnection]]:
    """Connections that have been used once, and that the server keeps open."""
    with ExitStack() as stack:
        opened = [http.client.HTTPConnection("127.0.0.1", port, timeout=60) for _ in range(number)]
        for connection in opened:
            stack.callback(connection.close)
            assert not asked(connection).will_close
        yield opened


def asked(connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b'{"status": "ok"}')
    return answer


def test_connections_that_were_idle_at_a_reload_are_answered_once_more_and_told_to_close(server: SiteServer) -> None:
    before = set(server.workers())
    with kept(server.port, 16) as connections:
        server.signal(signal.SIGHUP)
        while connections:
            connections = [connection for connection in connections if not asked(connection).will_close]
        wait_for(lambda: not before & set(server.workers()), "the old workers end", 60)


def test_whoever_is_in_the_middle_of_a_request_is_waited_for_and_whoever_does_not_close_is_not(
    single: SiteServer,
) -> None:
    """The worker gives each client two seconds to close, but not one after the other."""
    with ExitStack() as stack:
        slow = stack.enter_context(socket.create_connection(("127.0.0.1", single.port), 60))
        slow.sendall(REQUEST)
        began = time.monotonic()
        for _ in range(40):
            idle = stack.enter_context(socket.create_connection(("127.0.0.1", single.port), 60))
            idle.sendall(REQUEST + b"Connection: close\r\n\r\n")
            assert all_of(idle).startswith(b"HTTP/1.1 200")
        (other,) = stack.enter_context(kept(single.port, 1))
        single.signal(signal.SIGTERM)
        while not asked(other).will_close:
            pass
        slow.sendall(b"\r\n")
        assert b"Connection: close" in all_of(slow)
        assert single.process.wait(60) == 0
        assert time.monotonic() - began < 40
    single.restart()


def all_of(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(65536), b""))
