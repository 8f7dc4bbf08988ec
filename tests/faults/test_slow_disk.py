"""A disk on which every read takes 20 ms, as over a network: slow, but right, and nobody else waits."""

from pathlib import Path

from tests.faults.conftest import MakeServer
from tests.faults.preload import preloaded
from tests.faults.requests import mixed
from tests.load import Load


def test_a_snapshot_on_a_slow_disk_is_served(make_server: MakeServer, tmp_path: Path) -> None:
    wrapper = preloaded("slow_reads", tmp_path, SLOW_NAME="paper_snapshot.db")
    server = make_server(wrapper, WEB_CONCURRENCY="1")
    server.wait_until_up()
    outcome = Load(server.port, 4, mixed, count=40).start().join()
    assert outcome.errors == []
    assert server.parts()["snapshot"]["state"] == "ok"
    server.stop()
