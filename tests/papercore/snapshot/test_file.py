"""The snapshot file, checked: what is cut short, damaged or too large to read through, and changes of single bytes."""

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from papercore.snapshot import file as snapshot_file
from papercore.snapshot.file import BadSnapshot, check, checksum_state, open_read_only, read_facts, write_checksum
from tests import snapshot as sample


def test_a_file_that_is_cut_short_is_refused(library: Path) -> None:
    connection = open_read_only(library)
    with pytest.raises(BadSnapshot, match="cut short"):
        read_facts(connection, 4096)
    connection.close()


def test_a_file_that_breaks_its_own_rules_is_refused(own_library: Path) -> None:
    sample.change(
        own_library,
        "CREATE TABLE rule (name TEXT)",
        "INSERT INTO rule VALUES (NULL)",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE rule (name TEXT NOT NULL)' WHERE name = 'rule'",
    )
    connection = open_read_only(own_library)
    with pytest.raises(BadSnapshot, match="quick_check"):
        check(own_library, connection)
    connection.close()


def test_a_large_file_is_checked_as_far_as_the_time_allows(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot_file, "STEPS_BETWEEN_CHECKS", 1)
    connection = open_read_only(library)
    assert check(library, connection, seconds=-1).build_id == sample.BUILD_ID
    connection.close()


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    path = sample.build(tmp_path)
    write_checksum(path)
    return path


def test_a_file_fits_its_checksum_and_stays_a_database(sealed: Path) -> None:
    assert checksum_state(sealed, 60) == "fits"
    with closing(sqlite3.connect(sealed)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert checksum_state(sealed, 60) == "fits"


def test_a_file_of_another_builder_has_none(library: Path) -> None:
    assert checksum_state(library, 60) == "none"


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\x00"])
def test_a_file_shorter_than_its_header_has_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "short"
    path.write_bytes(content)
    assert checksum_state(path, 60) == "none"


def test_every_changed_byte_makes_it_differ(sealed: Path) -> None:
    content = sealed.read_bytes()
    chance = random.Random(13)
    for place in [60, 63, *(chance.randrange(100, len(content)) for _ in range(60))]:
        changed = bytes([content[place] ^ chance.randrange(1, 256)])
        sealed.write_bytes(content[:place] + changed + content[place + 1 :])
        assert checksum_state(sealed, 60) == "differs", place


def test_a_file_cut_short_differs(sealed: Path) -> None:
    os.truncate(sealed, sealed.stat().st_size - 1)
    assert checksum_state(sealed, 60) == "differs"


def test_after_an_edit_by_sqlite_the_checksum_no_longer_counts(sealed: Path) -> None:
    sample.change(sealed, "UPDATE paper SET title = 'Another'")
    assert checksum_state(sealed, 60) == "none"


def test_a_file_that_takes_too_long_to_read_is_left_unfinished(sealed: Path) -> None:
    assert checksum_state(sealed, -1) == "unfinished"
