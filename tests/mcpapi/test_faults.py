"""Faulty libraries, seen through the official client: structured errors, and no path or URL in them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytest_django import Settings

from papers.snapshot import served
from tests.mcpapi.clients import ConnectedClient, connect_http, connect_stdio
from tests.mcpapi.site import Site
from tests.snapshot import build

WAYS = ["http", "stdio"]


@contextmanager
def connect(way: str, site: Site) -> Iterator[ConnectedClient]:
    with connect_http(site.url, "modern") if way == "http" else connect_stdio("legacy") as connected:
        yield connected


@pytest.mark.scenario("paper-mcp / Asset fetch errors / Asset fetch failure")
@pytest.mark.parametrize("way", WAYS)
def test_an_asset_that_cannot_be_fetched_is_named_by_paper_and_template(
    way: str, site: Site, own_library: Path
) -> None:
    (own_library.parent / "static" / "summary" / "123" / "deep_read.json").unlink()
    with connect(way, site) as connected:
        outcome = connected.call("get_paper_summary", paper_id="123", template="deep_read")
        refused = connected.refusal("read_resource", "paper://123/summary/deep_read")
    assert outcome.error == "asset_fetch_failed"
    assert (outcome.payload["paper_id"], outcome.payload["template"]) == ("123", "deep_read")
    assert (refused.code, refused.data["error"]) == (-32603, "asset_fetch_failed")
    assert str(own_library.parent) not in f"{outcome.payload}{refused.data}"


@pytest.mark.scenario("paper-bibtex / MCP metadata DOI passthrough / Legacy snapshot fallback for DOI/BibTeX metadata")
@pytest.mark.parametrize("way", WAYS)
def test_a_snapshot_from_before_doi_and_bibtex_has_neither(
    way: str, site: Site, tmp_path: Path, settings: Settings
) -> None:
    path = build(tmp_path, legacy=True)
    settings.SNAPSHOT, settings.ASSETS = path, str(path.parent / "static")
    served.renew()
    with connect(way, site) as connected:
        paper = connected.call("get_paper_metadata", paper_id="123").payload
        outcome = connected.call("get_paper_bibtex", paper_id="123")
        resources = connected.ask("list_resources").resources
    assert (paper["doi"], paper["has_bibtex"]) == (None, False)
    assert outcome.error == "bibtex_not_found"
    assert resources
