"""What only the production server shows: bodies sent in chunks, and a worker that lives through hostile requests."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.mcpapi.clients import ROOT, connect_http
from tests.mcpapi.site import Site

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


@pytest.fixture(scope="module")
def served(library: Path) -> Iterator[Site]:
    """The site under gunicorn as the project configures it, on a port of the system's choice."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        environment = {
            **os.environ,
            "PAPERSITE_SNAPSHOT": str(settings.SNAPSHOT),
            "PAPERSITE_ASSETS": str(settings.ASSETS),
        }
        command = [sys.executable, "-m", "gunicorn", "--config", "gunicorn.conf.py", "--workers", "1"]
        process = subprocess.Popen(
            [*command, "--bind", f"fd://{listener.fileno()}"],
            cwd=ROOT,
            env=environment,
            pass_fds=[listener.fileno()],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        yield Site(listener.getsockname()[1])
        process.terminate()
        assert process.wait(30) == 0


def chunked(site: Site, *chunks: bytes) -> bytes:
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nContent-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    body = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
    with socket.create_connection(("127.0.0.1", site.port), 30) as connection:
        connection.sendall(head.encode() + body)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_a_body_in_chunks_is_read(served: Site) -> None:
    answer = chunked(served, PING[:10], PING[10:])
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b'{"jsonrpc":"2.0","id":1,"result":{}}')


def test_chunks_over_the_limit_are_413(served: Site) -> None:
    answer = chunked(served, *[b" " * 100_000] * 10, b"  ")
    assert answer.startswith(b"HTTP/1.1 413")


def test_a_repeated_origin_is_403_here_too(served: Site) -> None:
    own = ("Origin", served.url.removesuffix("/mcp"))
    assert served.post(PING, own).status == 200
    assert served.post(PING, own, own).status == 403


def test_the_official_client_is_served(served: Site) -> None:
    with connect_http(served.url, "modern") as connected:
        assert connected.call("get_paper_metadata", paper_id="123").payload["year"] == 2017
