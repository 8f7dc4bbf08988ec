"""Calls that wait for a session: only so many of one client may, and hanging up ends the wait."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from select import select

import pytest

from papercore import limits
from tests.faults.conftest import MakeServer
from tests.faults.requests import metadata
from tests.faults.sessions import claim
from tests.faults.test_deploy import nginx_before
from tests.load import Load
from tests.server import SiteServer, rpc, wait_for

WAITERS = 40
# Longer than calls wait; a claim of over a minute would count as none.
CLAIM_SECONDS = 55


@pytest.fixture(scope="module")
def patient(make_server: MakeServer) -> SiteServer:
    """One worker, no limit on calls a minute."""
    server = make_server(WEB_CONCURRENCY="1", PAPERSITE_SESSION_CALLS="0")
    server.wait_until_up()
    return server


def waiting_request(session_id: str) -> bytes:
    arguments = {"session_id": session_id, "wait_seconds": limits.SESSION_WAIT_SECONDS}
    body = json.dumps(rpc("tools/call", {"name": "get_session", "arguments": arguments})).encode()
    head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@pytest.fixture
def waiters(patient: SiteServer) -> Iterator[list[socket.socket]]:
    """Clients that wait for work nobody does."""
    session_id = patient.call("start_search", query="attention")["session_id"]
    claim(patient.data, session_id, CLAIM_SECONDS)
    with ExitStack() as stack:
        opened = []
        for _ in range(WAITERS):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", patient.port), 60))
            client.sendall(waiting_request(session_id))
            opened.append(client)
        yield opened


def test_waiters_beyond_their_share_are_told_to_poll_and_hold_nobody_up(
    patient: SiteServer, waiters: list[socket.socket]
) -> None:
    refused = WAITERS - limits.WAITING_CALLS_OF_CLIENT
    wait_for(lambda: outcomes(patient).count("too_many_waiting") == refused, "the others are refused")
    answered = Load(patient.port, 8, metadata, count=200).start().join()
    assert answered.errors == []
    assert patient.get("/healthz").status_code == 200
    for client in waiters:
        client.close()
    # `decide` and `start_search` wait themselves, and so does get_session: there is room again.
    session_id = patient.call("start_search", query="attention")["session_id"]
    claim(patient.data, session_id, CLAIM_SECONDS)
    wait_for(lambda: "error" not in patient.call("get_session", session_id=session_id, wait_seconds=1), "room", 15)


def test_calls_wait_behind_nginx_and_hanging_up_there_ends_the_wait(patient: SiteServer, tmp_path: Path) -> None:
    session_id = patient.call("start_search", query="attention")["session_id"]
    claim(patient.data, session_id, CLAIM_SECONDS)

    def wait_a_moment() -> str | None:
        error: str | None = patient.call("get_session", session_id=session_id, wait_seconds=1).get("error")
        return error

    with nginx_before(patient, tmp_path) as proxy, ExitStack() as stack:
        port = int(proxy.rpartition(":")[2])
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 60))
            for _ in range(limits.WAITING_CALLS_OF_CLIENT)
        ]
        for client in clients:
            client.sendall(waiting_request(session_id))

        def all_wait() -> bool:
            """Whether there is no room; who was refused because the question itself had taken it asks again."""
            if wait_a_moment() == "too_many_waiting":
                return True
            for client in select(clients, [], [], 0)[0]:
                client.recv(65536)
                client.sendall(waiting_request(session_id))
            return False

        wait_for(all_wait, "all of them wait")
        for client in clients[1:]:
            client.close()
        wait_for(lambda: wait_a_moment() is None, "those who hung up are gone")
        claim(patient.data, session_id, 0)
        assert b"strategy_confirmation" in clients[0].recv(65536), "the one who waits gets the checkpoint"


def outcomes(server: SiteServer) -> list[str]:
    return [line["outcome"] for line in server.lines("tool call") if line["tool"] == "get_session"]
