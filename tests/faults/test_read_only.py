"""A data folder that cannot be written: the site starts and serves papers, and says what cannot be kept."""

import os

import pytest

from tests.faults.conftest import MakeServer
from tests.server import SiteServer

# Takes the right to write away before the server starts, and from root the right to write nevertheless.
CAPABILITIES = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
READ_ONLY = ("sh", "-c", 'chmod -R a-w "$PAPERSITE_DATA" && exec "$@"', "sh", *CAPABILITIES)


@pytest.fixture(scope="module")
def sealed(make_server: MakeServer) -> SiteServer:
    server = make_server(READ_ONLY, by_systemd=True, WEB_CONCURRENCY="1")
    server.wait_until_up()
    return server


def test_papers_are_read_and_searched(sealed: SiteServer) -> None:
    assert sealed.call("get_paper_metadata", paper_id="123")["paper_id"] == "123"
    assert sealed.call("search_papers", query="attention")["papers"]
    assert sealed.get("/papers/123/").status_code == 200
    assert sealed.get("/papers/123/source/").status_code == 200


def test_what_cannot_be_kept_is_said(sealed: SiteServer) -> None:
    assert "The static files cannot be collected" in sealed.log()
    assert sealed.call("start_search", query="attention")["error"] == "storage_unavailable"
    assert sealed.get("/admin/login/").status_code == 200
    parts = sealed.parts()
    assert (parts["snapshot"]["state"], parts["index"]["state"]) == ("ok", "ok")
    assert parts["database"]["state"] in ("degraded", "missing")
    assert "written" in parts["database"]["hint"]
    assert sealed.get("/readyz").status_code == 200
