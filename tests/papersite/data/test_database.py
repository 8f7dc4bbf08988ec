"""A default database in SQLite: readable by its owner alone, and written to the disk before an answer."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections

from papersite.configuration import database_url
from tests.searches.conftest import using


@pytest.fixture
def loose_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("loose_umask", "db")
def test_the_files_of_a_new_and_of_an_older_database_are_the_owners_alone(tmp_path: Path) -> None:
    older = tmp_path / "older.sqlite3"
    sqlite3.connect(older).execute("CREATE TABLE old (id)").connection.close()
    assert older.stat().st_mode & 0o077
    for path in (tmp_path / "new.sqlite3", older):
        with using(path), connections["default"].cursor() as cursor:
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.execute("CREATE TABLE things (id)")
            modes = {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.glob(f"{path.name}*")}
        assert set(modes.values()) == {"0o600"}, modes


def test_a_decision_is_on_the_disk_before_it_is_acknowledged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PAPERSITE_X", f"sqlite:///{tmp_path / 'site.sqlite3'}")
    options = database_url.database("PAPERSITE_X", tmp_path)["OPTIONS"]
    assert isinstance(options, dict)
    database = sqlite3.connect(tmp_path / "site.sqlite3")
    database.executescript(options["init_command"])
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert database.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL: the log is flushed with every commit"
    database.close()
