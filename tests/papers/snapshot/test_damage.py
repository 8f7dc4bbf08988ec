"""A damaged snapshot: what it breaks is a clear error, what can be read is served, and a repair leaves no trace."""

import os
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client

from papercore.errors import ToolError
from papercore.snapshot import versions
from papercore.snapshot.file import write_checksum
from papers import health, tools
from papers.snapshot import served

TITLE = b"Attention Is All You Need"
BROKEN = b"\xff" + TITLE[1:]
CHANGED = TITLE.lower()


@pytest.fixture
def sealed(own_library: Path) -> Path:
    write_checksum(own_library)
    served.renew()
    assert served.served_file().problem is None
    return own_library


def change(path: Path, before: bytes, after: bytes) -> None:
    content = path.read_bytes()
    assert before in content
    path.write_bytes(content.replace(before, after))
    served.renew()


def test_what_cannot_be_read_is_503_on_pages_over_rest_and_mcp(sealed: Path, client: Client) -> None:
    change(sealed, TITLE, BROKEN)
    assert client.get("/papers/123/").status_code == 503
    rest = client.get("/api/papers/123")
    assert (rest.status_code, rest.json()["error"]) == (503, "snapshot_unavailable")
    with pytest.raises(ToolError) as caught:
        tools.get_paper_metadata("123")
    assert caught.value.code == "snapshot_unavailable"
    part = health.snapshot_part()
    assert part.state == "degraded"
    assert "its checksum differs" in part.hint


def test_what_can_be_read_is_served_and_not_kept_by_browsers(sealed: Path, client: Client) -> None:
    assert client.get("/papers/456/").has_header("ETag")
    change(sealed, TITLE, CHANGED)
    page = client.get("/papers/456/")
    assert page.status_code == 200
    assert not page.has_header("ETag")


def test_after_a_repair_nothing_of_the_damage_is_remembered(sealed: Path) -> None:
    change(sealed, b"Ashish Vaswani".lower(), b"ashish vaswanx")
    assert "ashish vaswanx" in [item.value.lower() for item in tools.list_top_facets("author").values]
    change(sealed, b"ashish vaswanx", b"ashish vaswani")
    assert served.served_file().problem is None
    assert "ashish vaswanx" not in [item.value.lower() for item in tools.list_top_facets("author").values]


def test_an_unexpected_error_is_the_snapshots_fault_only_if_it_is_damaged(sealed: Path) -> None:
    with pytest.raises(TypeError), served.reading():
        raise TypeError("a bug")
    change(sealed, TITLE, CHANGED)
    with pytest.raises(ToolError) as caught, served.reading():
        raise TypeError("perhaps not a bug")
    assert caught.value.code == "snapshot_unavailable"


def test_a_failed_query_makes_a_worker_look_for_damage(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes on the disk change, and nobody wrote them."""
    monkeypatch.setattr(versions, "SECONDS_BETWEEN_SNAPSHOT_CHECKS", 0)
    status = sealed.stat()
    sealed.write_bytes(sealed.read_bytes().replace(TITLE, BROKEN))
    os.utime(sealed, ns=(status.st_atime_ns, status.st_mtime_ns))
    connections["snapshot"].close()
    with pytest.raises(ToolError):
        tools.get_paper_metadata("123")
    assert "its checksum differs" in (served.served_file().problem or "")
