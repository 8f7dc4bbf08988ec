"""1,000 connections with requests of every generated shape at once: honest clients are served, and nothing stays."""

import asyncio

import pytest

from bench.faults.request_shapes import CONNECTIONS, WARM_UP_CLIENTS, WARM_UP_SECONDS, measure
from tests.faults.conftest import MakeServer
from tests.server import wait_for


@pytest.mark.long
def test_hostile_connections_cost_no_worker_hardly_an_answer_and_no_memory_that_stays(make_server: MakeServer) -> None:
    server = make_server(WEB_CONCURRENCY="2")
    server.wait_until_up()
    # All threads are started, which stay; and how long answers take on this machine, as it is just now.
    usual = asyncio.run(measure(server, WARM_UP_SECONDS, 0, WARM_UP_CLIENTS))
    workers, before = server.workers(), server.memory()
    served = asyncio.run(measure(server, 30, CONNECTIONS))
    assert served.answered >= 0.99
    assert served.p95 < 1 + 2 * usual.p95
    assert server.workers() == workers
    wait_for(lambda: server.memory() < 1.2 * before, "memory is given back", 120)
