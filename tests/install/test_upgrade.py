"""A data folder that 0.2.0 wrote is brought up to this version, with a backup first.

The archive holds what 0.2.0 made: a database with an account, a token and a finished search, a library of two papers
with its index, and the index of its own specs.
"""

import json
import sqlite3
import stat
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from papersite.data import folder as data_folder
from tests.server import manage

ARCHIVE = Path(__file__).parent / "data" / "papersite-0.2.0.tar.xz"
SEARCH = """
from searches import tools
from searches.models import SearchSession
session = SearchSession.objects.get()
print(tools.get_session(session.pk).is_complete, tools.export_results(session.pk, "bibtex").text)
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


def applied(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as connection:
        return {f"{app}.{name}" for app, name in connection.execute("SELECT app, name FROM django_migrations")}


@pytest.mark.long
def test_data_of_0_2_0_is_upgraded_after_a_backup(old: Path) -> None:
    snapshot = {"PAPERSITE_SNAPSHOT": str(old / "library" / "paper_snapshot.db")}
    state = data_folder.read_state(old)
    assert state == data_folder.DataState(1, "0.2.0 or older")
    before = applied(old / "site.sqlite3")
    checked = manage(old, "upgrade_check", **snapshot)
    assert (checked.returncode, "migrations, after a backup" in checked.stdout) == (0, True), checked.stderr
    assert applied(old / "site.sqlite3") == before

    prepared = manage(old, "prepare", **snapshot)
    assert prepared.returncode == 0, prepared.stderr
    (copy,) = (old / data_folder.BACKUPS).iterdir()
    assert str(copy) in prepared.stderr
    assert (applied(copy), stat.S_IMODE(copy.stat().st_mode)) == (before, 0o600)
    assert applied(old / "site.sqlite3") > before
    with closing(sqlite3.connect(old / "site.sqlite3")) as connection:
        assert connection.execute("SELECT username FROM auth_user").fetchall() == [("keeper",)]
    search = manage(old, "shell", "--no-imports", "-c", SEARCH, **snapshot)
    assert (search.stdout[:5], "Tides in Harbours" in search.stdout) == ("True ", True), search.stderr
    assert "2 papers indexed" in prepared.stdout
    upgraded = data_folder.read_state(old)
    assert upgraded
    assert upgraded.format == data_folder.FORMAT
    doctor = manage(old, "doctor", **snapshot)
    assert doctor.returncode == 0, doctor.stdout
    assert "DEGRADED" not in doctor.stdout

    again = manage(old, "prepare", **snapshot)
    assert again.returncode == 0
    assert len(list((old / data_folder.BACKUPS).iterdir())) == 1


def test_a_database_with_migrations_of_a_newer_version_is_refused_and_not_touched(old: Path) -> None:
    with closing(sqlite3.connect(old / "site.sqlite3")) as connection:
        row = "INSERT INTO django_migrations (app, name, applied) VALUES ('searches', '0999_later', '2027-01-01')"
        connection.execute(row)
        connection.commit()
    before = applied(old / "site.sqlite3")
    for command in ("prepare", "upgrade_check"):
        result = manage(old, command)
        assert (result.returncode, "newer" in result.stderr) == (1, True)
    assert applied(old / "site.sqlite3") == before
    assert not (old / data_folder.BACKUPS).exists()


def test_only_the_last_backups_are_kept(old: Path) -> None:
    folder = old / data_folder.BACKUPS
    folder.mkdir()
    for number in range(data_folder.BACKUPS_KEPT + 2):
        (folder / f"site-2020010{number}T000000Z-0.1.sqlite3").touch()
    newest = data_folder.back_up(old / "site.sqlite3", "0.2.0")
    assert len(list(folder.iterdir())) == data_folder.BACKUPS_KEPT
    assert newest.exists()


def test_a_state_that_cannot_be_read_counts_as_old(tmp_path: Path) -> None:
    assert data_folder.read_state(tmp_path) is None
    (tmp_path / "demo").mkdir()
    for text in ("", "[]", json.dumps({"format": "x"})):
        (tmp_path / data_folder.STATE).write_text(text)
        found = data_folder.read_state(tmp_path)
        assert found
        assert found.format == 1
