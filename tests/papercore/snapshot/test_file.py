"""The snapshot file, checked: what is cut short, damaged or too large to read through."""

from pathlib import Path

import pytest

from papercore.snapshot import file as snapshot_file
from papercore.snapshot.file import BadSnapshot, check, open_read_only, read_facts
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
