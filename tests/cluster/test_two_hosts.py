"""Two hosts with a search cluster and one PostgreSQL, and no index of their own: what readers do, end to end."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from papercore.retrieval import ClusterAddress
from papercore.snapshot.file import index_beside, write_checksum
from tests import snapshot as sample
from tests.cluster.conftest import remove_indexes
from tests.searches import postgres
from tests.server import SiteServer, manage


@dataclass(frozen=True)
class Hosts:
    first: SiteServer
    second: SiteServer


def data_folder(folder: Path) -> Path:
    """A library without an index."""
    write_checksum(sample.build(folder / "demo"))
    (folder / "collected-static").mkdir()  # no styles are looked at
    return folder


@pytest.fixture(scope="module")
def two_hosts(hosts: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    prefix = f"hosts-{uuid4().hex[:8]}"
    folders = [data_folder(tmp_path_factory.mktemp(name)) for name in ("first", "second")]
    with ExitStack() as stack:
        settings = {
            "WEB_CONCURRENCY": "1",
            "PAPERSITE_SESSION_CALLS": "0",
            "PAPERSITE_DATABASE_URL": stack.enter_context(postgres.server()),
            "PAPERSITE_SEARCH_ENGINE": "opensearch",
            "PAPERSITE_OPENSEARCH_URL": ",".join(hosts),
            "PAPERSITE_OPENSEARCH_PREFIX": prefix,
            "PAPERSITE_OPENSEARCH_SHARDS": "2",
        }
        for command in ("migrate", "build_index"):
            done = manage(folders[0], command, "--verbosity", "0", **settings)
            assert done.returncode == 0, done.stderr
        stack.callback(remove_indexes, ClusterAddress(hosts, prefix))
        servers = [SiteServer(folder, wrapper=(), by_systemd=False, **settings) for folder in folders]
        for server in servers:
            stack.callback(server.close)
            server.wait_until_up()
        yield Hosts(*servers)


def test_both_hosts_search_on_the_cluster_and_have_no_index(two_hosts: Hosts) -> None:
    for server in (two_hosts.first, two_hosts.second):
        assert not any(index_beside(path).exists() for path in server.data.rglob("*.db"))
        assert server.parts()["index"] == {"state": "ok"}
        found = server.call("search_papers", query="attention", facets=["author", "year"])
        assert found["mode"] == "hybrid"
        assert found["notice"] == ""
        assert found["papers"][0]["score"] > 0
    answers = [
        server.call("search_papers", query="neural networks for translation", facets=["venue"])
        for server in (two_hosts.first, two_hosts.second)
    ]
    assert answers[0] == answers[1]


def test_pages_suggestions_and_similar_papers_come_from_the_cluster(two_hosts: Hosts) -> None:
    page = two_hosts.second.get("/papers/?q=attention")
    assert page.status_code == 200
    assert "does not answer" not in page.text
    assert two_hosts.first.call("get_similar_papers", paper_id="123", limit=3)["papers"]
    assert two_hosts.second.call("suggest", prefix="att")["suggestions"]
    assert two_hosts.first.get("/papers/123/").status_code == 200


def test_passages_are_found_on_the_cluster_and_read_from_each_hosts_texts(two_hosts: Hosts) -> None:
    first, second = (
        [
            # Links begin with the address of the host that was asked.
            {**passage, "link": passage["link"].removeprefix(server.address)}
            for passage in server.call("search_passages", query="transformer without recurrence")["passages"]
        ]
        for server in (two_hosts.first, two_hosts.second)
    )
    assert first == second
    assert first[0]["paper_id"] == "123"
    assert first[0]["quote"].startswith("Recurrence is gone.")


def test_a_session_begun_at_one_host_goes_on_at_the_other(two_hosts: Hosts) -> None:
    session = two_hosts.first.call("start_search", query="attention")
    after = two_hosts.second.call("decide", session_id=session["session_id"], action="approve")
    assert after["checkpoint"]["kind"] == "result_review"
    whole = two_hosts.first.call("get_session", session_id=session["session_id"])["checkpoint"]
    # A decision is answered by titles; the session tells each paper whole.
    assert whole["checkpoint_id"] == after["checkpoint"]["checkpoint_id"]
    papers, titles = whole["payload"]["papers"], after["checkpoint"]["payload"]["papers"]
    assert titles
    assert [paper | title for paper, title in zip(papers, titles, strict=True)] == papers
    done = two_hosts.first.call("decide", session_id=session["session_id"], action="approve")
    assert done["is_complete"]
    assert two_hosts.second.call("get_session", session_id=session["session_id"])["is_complete"]
