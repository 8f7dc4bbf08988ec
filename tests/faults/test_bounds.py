"""Every field of every tool, route and form, at its bound, just over it and absurd: an answer, and a live process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GROWTH_BYTES = 100_000_000


@pytest.mark.long
def test_no_value_of_any_field_ends_the_process_or_takes_its_memory(template: Path, tmp_path: Path) -> None:
    settings = {
        "PAPERSITE_DATA": str(template),
        "PAPERSITE_DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}",
        "PAPERSITE_SESSION_CALLS": "0",
        "PAPERSITE_SECRET_KEY": "only for this test " * 4,
        "PAPERSITE_ALLOWED_HOSTS": "testserver",
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.faults.bounds_walk"],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["failures"] == []
    assert report["fields"] > 100
    assert report["outcomes"]["ok"] > 50
    assert report["outcomes"]["invalid_input"] > 100
    assert report["outcomes"]["invalid_decision"] > 20
    assert report["grown_bytes"] < GROWTH_BYTES
