"""A site that serves over real HTTP in this process, and the official client over every transport and era."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

from mcpapi.listing.servers import SERVERS
from papersite.wsgi import application
from tests.mcpapi.clients import ConnectedClient, DirectCaller, ToolCaller, connect_http, connect_stdio
from tests.mcpapi.sample import SAMPLE, TOOLS_ONLY
from tests.mcpapi.site import Site


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is inherited
        """Requests of tests are no news."""


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """The whole site, with two servers added that only the tests know."""
    added = {server.name: server for server in (SAMPLE, TOOLS_ONLY)}
    SERVERS.update(added)
    server = ThreadedWSGIServer(("127.0.0.1", 0), _QuietHandler)
    server.set_app(application)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield Site(server.server_port)
    server.shutdown()
    thread.join(10)
    server.server_close()
    for name in added:
        del SERVERS[name]


@pytest.fixture(scope="session")
def sample(site: Site) -> Site:
    return site.at("/mcp/sample")


@pytest.fixture(scope="session")
def http_legacy(site: Site) -> Iterator[ConnectedClient]:
    with connect_http(site.url, "legacy") as connected:
        yield connected


@pytest.fixture(scope="session")
def http_modern(site: Site) -> Iterator[ConnectedClient]:
    with connect_http(site.url, "modern") as connected:
        yield connected


@pytest.fixture(scope="session")
def stdio_legacy(library: Path) -> Iterator[ConnectedClient]:
    with connect_stdio("legacy") as connected:
        yield connected


@pytest.fixture(scope="session")
def stdio_modern(library: Path) -> Iterator[ConnectedClient]:
    with connect_stdio("modern") as connected:
        yield connected


CONNECTIONS = ["http_legacy", "http_modern", "stdio_legacy", "stdio_modern"]


@pytest.fixture(params=CONNECTIONS)
def connected(request: pytest.FixtureRequest) -> ConnectedClient:
    """The official client, once over each transport and era."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, ConnectedClient)
    return found


@pytest.fixture(params=["direct", *CONNECTIONS])
def caller(request: pytest.FixtureRequest) -> ToolCaller:
    """Every way in which a paper tool is reached."""
    found: ToolCaller = DirectCaller() if request.param == "direct" else request.getfixturevalue(request.param)
    return found
