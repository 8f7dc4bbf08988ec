"""1,000 connections with requests of every generated shape at once: honest clients are served, and nothing stays."""

import asyncio

import pytest

from bench.faults.request_shapes import CONNECTIONS, MEMORY_SECONDS, WARM_UP_CLIENTS, WARM_UP_SECONDS, measure
from tests.faults.conftest import MakeServer
from tests.server import wait_for

ANSWERED, P95_SECONDS, MEMORY = 0.99, 1.0, 1.2
# What honest clients alone may wait for on a machine that does nothing else; one that is slower now gets as much more.
ALONE_SECONDS = 0.1


@pytest.mark.long
def test_hostile_connections_cost_no_worker_hardly_an_answer_and_no_memory_that_stays(make_server: MakeServer) -> None:
    server = make_server(WEB_CONCURRENCY="2")
    server.wait_until_up()
    # All threads are started, which stay.
    asyncio.run(measure(server, WARM_UP_SECONDS, 0, WARM_UP_CLIENTS))
    workers, before = server.workers(), server.memory()
    alone = [asyncio.run(measure(server, 10, 0))]
    served = asyncio.run(measure(server, 30, CONNECTIONS))
    assert served.answered >= ANSWERED
    assert server.workers() == workers
    wait_for(lambda: server.memory() < MEMORY * before, "memory is given back", MEMORY_SECONDS)
    alone.append(asyncio.run(measure(server, 10, 0)))
    load = max(1.0, *(found.p95 / ALONE_SECONDS for found in alone))
    print(f"load {load:.1f}, {served}, alone {[found.p95 for found in alone]}, {before / 1e6:.0f} MB before")
    assert served.p95 < P95_SECONDS * load
