"""Probes: each part's state and hint; `manage.py doctor` shows the same."""

import sqlite3
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

import papers.health
from papercore import limits
from papercore.health import CachedProbe
from papers.snapshot import served
from papersite import monitoring
from papersite.command.commands import call_command
from tests.papercore.retrieval.tiny_model import write_model
from tests.snapshot import PAPERS

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


def part(client: Client, name: str) -> dict[str, str]:
    found: dict[str, str] = client.get("/readyz").json()["parts"][name]
    return found


@pytest.fixture
def indexed_library(own_library: Path, tmp_path: Path, settings: Settings) -> Path:
    settings.DATA = tmp_path
    call_command("build_index", verbosity=0)
    call_command("build_spec_index", verbosity=0)
    return own_library


def test_a_whole_site_is_ready(client: Client, indexed_library: Path) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
    assert client.get("/healthz").json() == {"status": "ok"}


def test_without_indexes_the_site_is_degraded_and_says_how_to_build_them(
    client: Client, own_library: Path, tmp_path: Path, settings: Settings
) -> None:
    settings.DATA = tmp_path
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["parts"]["index"]["state"] == "missing"
    assert "build-index" in answer.json()["parts"]["index"]["hint"]
    assert "build-spec-index" in answer.json()["parts"]["specs"]["hint"]


def test_without_a_snapshot_the_site_is_not_ready(client: Client, tmp_path: Path, settings: Settings) -> None:
    settings.SNAPSHOT = tmp_path / "gone.db"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["parts"]["snapshot"]["state"] == "missing"
    assert "PAPERSITE_SNAPSHOT" in answer.json()["parts"]["snapshot"]["hint"]
    assert str(tmp_path) not in answer.text


def test_a_bad_replacement_degrades_and_the_last_good_one_serves(client: Client, own_library: Path) -> None:
    aside = own_library.with_name("aside")
    aside.write_bytes(b"junk" * 1000)
    aside.replace(own_library)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["parts"]["snapshot"]["state"] == "degraded"
    assert "last good" in answer.json()["parts"]["snapshot"]["hint"]


def test_a_snapshot_overwritten_in_place_is_said_to_be_damaged(client: Client, own_library: Path) -> None:
    own_library.write_bytes(b"junk" * 1000)
    answer = client.get("/readyz")
    assert answer.json()["parts"]["snapshot"]["state"] == "degraded"
    assert "as far as it can be read" in answer.json()["parts"]["snapshot"]["hint"]


def test_missing_assets_are_told(client: Client, own_library: Path, settings: Settings) -> None:
    (own_library.parent / "static" / "summary" / "123" / "deep_read.json").unlink()
    assert part(client, "assets")["state"] == "degraded"
    settings.ASSETS = str(own_library.parent / "nowhere")
    assert part(client, "assets")["state"] == "missing"


def test_a_remote_store_is_asked_now_and_then(client: Client, settings: Settings) -> None:
    settings.ASSETS = "http://127.0.0.1:9"  # nobody listens there
    remote = CachedProbe(papers.health.sample, 60)
    assert remote.part().state == "degraded"
    assert "127.0.0.1" not in remote.part().hint
    settings.ASSETS = "/nowhere"
    assert remote.part().state == "degraded", "the last look counts for a while"


def test_spec_folders_that_are_missing_or_unreadable_are_told(
    client: Client, tmp_path: Path, settings: Settings
) -> None:
    settings.SPECS = f"one={tmp_path / 'gone'}"
    assert part(client, "specs")["state"] == "missing"
    (tmp_path / "here" / "specs" / "a" / "spec.md").mkdir(parents=True)
    settings.SPECS = f"one={tmp_path / 'gone'},two={tmp_path / 'here'}"
    assert part(client, "specs")["state"] == "degraded"


def test_metrics_hold_requests_calls_and_parts(client: Client) -> None:
    client.get("/admin/login/")
    text = client.get("/metrics").content.decode()
    names = {family.name for family in text_string_to_metric_families(text)}
    assert {"papersite_requests", "papersite_request_seconds", "papersite_part", "papersite_tool_calls"} <= names
    assert 'papersite_requests_total{method="GET",route="admin/login/",status="200"}' in text


def test_a_snapshot_without_a_date_has_no_age(own_library: Path) -> None:
    assert monitoring.snapshot_age() is not None
    database = sqlite3.connect(own_library.with_name("aside.db"))
    sqlite3.connect(own_library).backup(database)
    database.execute("DELETE FROM snapshot_meta WHERE key = 'built_at'")
    database.commit()
    database.close()
    own_library.with_name("aside.db").replace(own_library)
    served.renew()
    assert monitoring.snapshot_age() is None


def test_doctor_shows_everything_on_one_screen(indexed_library: Path) -> None:
    out = StringIO()
    call_command("doctor", stdout=out)
    shown = out.getvalue()
    assert len(shown.splitlines()) <= 24
    assert all(f"ok        {name}" in shown for name in ("snapshot", "index", "assets", "specs", "database"))
    assert "0123456789ab" in shown


def test_sentence_vectors_that_are_still_missing_are_counted(
    client: Client, own_library: Path, tmp_path: Path, settings: Settings
) -> None:
    settings.DATA, settings.SEARCH_MODEL = tmp_path, str(write_model(tmp_path / "tiny"))
    call_command("build_index", no_fill=True, stdout=StringIO(), stderr=StringIO())
    found = client.get("/readyz").json()["parts"]["index"]
    assert (found["state"], found["with_sentence_vector"]) == ("ok", 0)
    assert found["papers"] == len(PAPERS)
    out = StringIO()
    call_command("doctor", stdout=out)
    assert f"ok        index     Search works; it gets better: 0 of {len(PAPERS)} papers" in out.getvalue()


def test_doctor_names_the_spec_files_that_cannot_be_read(own_library: Path, tmp_path: Path, settings: Settings) -> None:
    file = tmp_path / "here" / "specs" / "a" / "spec.md"
    file.parent.mkdir(parents=True)
    with file.open("wb") as monstrous:
        monstrous.truncate(limits.SPEC_BYTES + 1)
    settings.SPECS = str(tmp_path / "here")
    out = StringIO()
    with pytest.raises(CommandError, match="index"):
        call_command("doctor", stdout=out)
    assert "DEGRADED  specs     1 spec files cannot be read" in out.getvalue()
    assert "specs/a/spec.md: The file is left out." in out.getvalue()


def test_doctor_fails_when_a_part_is_missing(tmp_path: Path, settings: Settings) -> None:
    settings.SNAPSHOT, settings.DATA = tmp_path / "gone.db", tmp_path / "nothing"
    out = StringIO()
    with pytest.raises(CommandError, match="snapshot"):
        call_command("doctor", stdout=out)
    assert "MISSING   snapshot  The snapshot file is missing: build one" in out.getvalue()
