"""Damaged files of the index and the snapshot are noticed and left, or said; no request ends in an internal error."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from papercore.retrieval.engines.embedded import folder
from tests.faults.conftest import MakeServer
from tests.server import ROOT, SiteServer, environment, wait_for

CHANGES = 60
PAGES = ("/papers/?q=attention", "/papers/?sort=title", "/papers/123/", "/")


@pytest.mark.long
def test_random_changes_never_give_a_wrong_answer_or_an_internal_error(template: Path, tmp_path: Path) -> None:
    shutil.copytree(template, tmp_path / "data")
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.corruption", str(CHANGES), "13"],
        cwd=ROOT,
        env=environment(tmp_path / "data"),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout)
    assert outcome["changes"] == CHANGES
    assert outcome["noticed"] > 0.9 * CHANGES
    assert (outcome["internal_errors"], outcome["wrong_while_ok"], outcome["ends_again"]) == ([], [], [])


@pytest.fixture(scope="module")
def site(make_server: MakeServer) -> SiteServer:
    server = make_server(WEB_CONCURRENCY="1", PAPERSITE_SESSION_CALLS="0")
    server.wait_until_up()
    return server


@pytest.fixture
def used(site: SiteServer) -> Iterator[SiteServer]:
    """A server that has used all files; they are repaired afterwards."""
    files = {path: path.read_bytes() for path in (site.data / "demo").rglob("*") if path.is_file()}
    wait_for(lambda: site.get("/readyz").json()["status"] == "ok", "a sound library")
    assert all(site.get(page).status_code == 200 for page in PAGES)
    yield site
    for path, content in files.items():
        if path.read_bytes() != content:
            aside = path.with_name("aside")
            aside.write_bytes(content)
            aside.replace(path)


def index_of(server: SiteServer) -> Path:
    """The files of the index in use."""
    return folder.generations(server.data / "demo" / "index")[0]


def test_a_worker_that_starts_with_a_damaged_index_answers_by_the_tables(used: SiteServer) -> None:
    vectors = index_of(used) / folder.VECTORS
    content = bytearray(vectors.read_bytes())
    content[-1] ^= 1
    vectors.write_bytes(bytes(content))
    used.replace_worker()
    assert used.call("search_papers", query="attention")["papers"][0]["score"] is None
    part = used.parts()["index"]
    assert part["state"] == "degraded"
    assert "vectors.npy is damaged" in part["hint"]
    assert "build-index" in part["hint"]
    assert "damaged and no longer used" in used.log()


@pytest.mark.parametrize("pattern", [f"index/generation-*/{folder.WORDS}/*", "index/generation-*/*.npy", "*.db"])
def test_files_cut_in_place_end_a_worker_at_most_once(used: SiteServer, pattern: str) -> None:
    before = set(used.workers())
    for path in (used.data / "demo").glob(pattern):
        with path.open("r+b") as file:
            file.truncate(path.stat().st_size // 3)
    seen = set(before)
    answers = []
    for page in (*PAGES, *PAGES):
        try:
            answers.append(used.get(page).status_code)
        except httpx.TransportError:  # the worker read beyond the end of a file, and ended
            wait_for(lambda: used.workers() and not set(used.workers()) <= before, "a new worker")
        seen |= set(used.workers())
    assert len(seen - before) <= 1
    assert set(answers) <= {200, 503}
    assert len(answers) >= 2 * len(PAGES) - 1
    part = "snapshot" if pattern == "*.db" else "index"
    assert used.parts()[part]["state"] != "ok"
