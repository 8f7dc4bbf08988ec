"""A damaged search index is noticed and left: the tables answer, and /readyz says so."""

from collections.abc import Iterator

import pytest

from papercore.retrieval import folder
from tests.faults.conftest import MakeServer
from tests.faults.corruption import ask, by_tables, change_bytes, index_of, index_state
from tests.server import SiteServer, manage, wait_for

CHANGES = 60


@pytest.fixture(scope="module")
def site(make_server: MakeServer) -> SiteServer:
    server = make_server(WEB_CONCURRENCY="1", PAPERSITE_SESSION_CALLS="0")
    server.wait_until_up()
    return server


@pytest.fixture
def restored(site: SiteServer) -> Iterator[SiteServer]:
    """The index is built again afterwards."""
    yield site
    assert manage(site.data, "build_index").returncode == 0
    wait_for(lambda: index_state(site) == "ok", "the new index is used")


def test_changed_bytes_never_give_a_wrong_answer_or_an_internal_error(site: SiteServer) -> None:
    outcome = change_bytes(site, CHANGES, seed=13)
    assert (outcome.internal_errors, outcome.wrong_while_ok, outcome.worker_ends) == ([], [], [])
    # A lock file may have any content; everything else is covered by a checksum.
    assert outcome.left > 0.9 * CHANGES


def test_a_worker_that_starts_with_a_damaged_index_answers_by_the_tables(restored: SiteServer) -> None:
    expected = by_tables(restored)
    vectors = index_of(restored) / folder.VECTORS
    content = bytearray(vectors.read_bytes())
    content[-1] ^= 1
    vectors.write_bytes(bytes(content))
    restored.replace_worker()
    assert ask(restored) == expected
    part = restored.parts()["index"]
    assert part["state"] == "degraded"
    assert "vectors.npy is damaged" in part["hint"]
    assert "build_index" in part["hint"]
    assert "damaged and no longer used" in restored.log()
