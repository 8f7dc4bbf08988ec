"""Who may add papers to a site that somebody starts for themselves, and the server of platforms without gunicorn."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from pytest_django import Settings

from papersite.server.serving import give_owner
from tests.papersite.test_commands import found_by_an_agent, free_port, lines_until_served
from tests.server import ROOT, environment

CHANGES = "PAPERSITE_LIBRARY_CHANGES"


@pytest.fixture(autouse=True)
def no_setting(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setenv(CHANGES, "")
    settings.LIBRARY_CHANGES = "staff"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.4.5", "::1", "localhost"])
def test_a_site_that_only_this_machine_reaches_has_an_owner(host: str) -> None:
    give_owner(host)
    assert os.environ[CHANGES] == "local"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "papers.example.org"])
def test_a_site_that_others_reach_stays_as_the_settings_say(host: str) -> None:
    give_owner(host)
    assert os.environ[CHANGES] == ""


def test_a_setting_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHANGES, "off")
    give_owner("127.0.0.1")
    assert os.environ[CHANGES] == "off"


def test_a_setting_in_the_file_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "papersite.toml"
    file.write_text('library_changes = "staff"')
    monkeypatch.setenv("PAPERSITE_CONFIG", str(file))
    give_owner("127.0.0.1")
    assert os.environ[CHANGES] == ""


def test_waitress_serves_pages_and_agents(library: Path, tmp_path: Path) -> None:
    port = free_port()
    command = [
        sys.executable,
        "-c",
        f"from papersite.server.serving import serve_with_waitress; serve_with_waitress('127.0.0.1:{port}')",
    ]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(tmp_path, PAPERSITE_SNAPSHOT=str(library)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        lines_until_served(process)
        site = f"http://127.0.0.1:{port}"
        assert "papers" in httpx.get(f"{site}/", trust_env=False, timeout=30).text
        assert found_by_an_agent(f"{site}/mcp", "attention") >= 0
        assert httpx.get(f"{site}/readyz", trust_env=False, timeout=30).status_code == 200
    finally:
        process.terminate()
        process.communicate(timeout=30)
