"""A server that may open few files or use little memory: it starts and serves, or says why it does not."""

import pytest

from tests.faults.conftest import MakeServer
from tests.faults.requests import mixed
from tests.load import Load


@pytest.mark.parametrize("limit", ["--nofile=64:64", "--as=1000000000"])
def test_a_server_with_little_serves_many(limit: str, make_server: MakeServer) -> None:
    server = make_server(("prlimit", limit), WEB_CONCURRENCY="1")
    server.wait_until_up()
    workers = server.workers()
    outcome = Load(server.port, 8, mixed, count=100).start().join()
    assert outcome.errors == []
    assert server.workers() == workers
    server.stop()
