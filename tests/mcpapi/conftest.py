"""A site that serves over real HTTP, in this process."""

import threading
from collections.abc import Iterator

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

from mcpapi.servers import SERVERS
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
    server.set_app(WSGIHandler())
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
