"""Who may add papers to a site that somebody starts for themselves."""

import os
from pathlib import Path

import pytest

from papersite.server.bind_address import allow_local_changes

NAME = "PAPERSITE_LIBRARY_CHANGES"


@pytest.fixture(autouse=True)
def no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.4.5", "::1", "localhost"])
def test_a_site_that_only_this_machine_reaches_can_be_changed_there(host: str) -> None:
    allow_local_changes(host)
    assert os.environ[NAME] == "local"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "papers.example.org"])
def test_a_site_that_others_reach_stays_as_the_settings_say(host: str) -> None:
    allow_local_changes(host)
    assert os.environ[NAME] == ""


def test_a_setting_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "off")
    allow_local_changes("127.0.0.1")
    assert os.environ[NAME] == "off"


def test_a_setting_in_the_file_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "papersite.toml"
    file.write_text('library_changes = "staff"')
    monkeypatch.setenv("PAPERSITE_CONFIG", str(file))
    allow_local_changes("127.0.0.1")
    assert os.environ[NAME] == ""
