"""The checksum in a snapshot's header: every changed byte is noticed, an edit by SQLite is none."""

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from papercore.snapshot.checksum import checksum_state, write_checksum
from tests import snapshot as sample


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
