"""A damaged snapshot is noticed at once if it is small, in the background if it is large, and after a failed query."""

import logging
import os
from pathlib import Path

import pytest

from papercore import limits
from papercore.snapshot import versions
from papercore.snapshot.file import write_checksum
from papercore.snapshot.versions import SnapshotFile
from tests import snapshot as sample
from tests.server import wait_for

TITLE = b"Attention Is All You Need"
DIFFERS = "its checksum differs"


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    path = sample.build(tmp_path)
    write_checksum(path)
    return path


def change_titles(path: Path) -> None:
    """In place: SQLite's own check has nothing to say about it."""
    content = path.read_bytes()
    assert TITLE in content
    path.write_bytes(content.replace(TITLE, TITLE.replace(b"A", b"B")))


def first_title(file: SnapshotFile) -> str:
    _, connection = file.connect()
    title: str = connection.execute("SELECT title FROM paper WHERE paper_id = '123'").fetchone()[0]
    return title


def test_a_changed_file_is_served_if_there_is_no_other_and_its_damage_is_said(
    sealed: Path, caplog: pytest.LogCaptureFixture
) -> None:
    change_titles(sealed)
    file = SnapshotFile(sealed)
    assert first_title(file) == "Bttention Is Bll You Need"
    assert DIFFERS in (file.problem or "")
    assert file.served_damaged
    assert DIFFERS in caplog.text


def test_a_changed_file_does_not_replace_a_good_one(sealed: Path) -> None:
    file = SnapshotFile(sealed)
    file.refresh()
    aside = sealed.with_name("aside")
    aside.write_bytes(sealed.read_bytes())
    change_titles(aside)
    aside.replace(sealed)
    assert first_title(file) == TITLE.decode()
    assert DIFFERS in (file.problem or "")
    assert not file.served_damaged


def test_a_file_changed_in_place_is_noticed_and_so_is_its_repair(sealed: Path) -> None:
    file = SnapshotFile(sealed)
    file.refresh()
    content = sealed.read_bytes()
    before = file.good
    change_titles(sealed)
    file.refresh()
    assert file.served_damaged
    sealed.write_bytes(content)
    file.refresh()
    assert file.problem is None
    assert before is not None
    assert file.good is not None
    assert file.good.serial > before.serial


def test_a_large_file_is_served_at_once_and_checked_afterwards(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "QUERY_SECONDS", -1)
    change_titles(sealed)
    file = SnapshotFile(sealed)
    assert file.connect()
    wait_for(lambda: not file.verifying, "the end of the check")
    assert file.served_damaged


def test_a_file_that_was_checked_ahead_is_not_read_through_again(sealed: Path) -> None:
    file = SnapshotFile(sealed)
    file.check_ahead()
    rot(sealed)
    file.refresh()
    assert file.good
    assert file.problem is None
    file.verify_again()
    assert file.served_damaged


def test_what_was_found_out_ahead_counts_for_a_while_alone(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = SnapshotFile(sealed)
    file.check_ahead()
    rot(sealed)
    monkeypatch.setattr(versions, "EARLY_VERDICT_SECONDS", 0)
    file.refresh()
    assert file.problem
    assert file.good is None


def test_a_file_that_is_changed_after_it_was_checked_ahead_is_read_through(sealed: Path) -> None:
    file = SnapshotFile(sealed)
    file.check_ahead()
    change_titles(sealed)
    os.utime(sealed, ns=(1, 1))
    file.refresh()
    assert file.served_damaged


def test_damage_that_is_found_ahead_is_said_when_the_file_is_served(sealed: Path) -> None:
    change_titles(sealed)
    file = SnapshotFile(sealed)
    file.check_ahead()
    file.refresh()
    assert file.served_damaged


def test_a_file_too_large_to_be_checked_ahead_is_checked_aside(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_titles(sealed)
    file = SnapshotFile(sealed)
    monkeypatch.setattr(versions, "SNAPSHOT_START_SECONDS", -1)
    file.check_ahead()
    file.refresh()
    wait_for(lambda: not file.verifying, "the end of the check")
    assert file.served_damaged


def test_a_missing_file_can_be_checked_ahead(tmp_path: Path) -> None:
    file = SnapshotFile(tmp_path / "missing.db")
    file.check_ahead()
    file.refresh()
    assert file.problem


def test_a_check_that_takes_too_long_ends_and_is_logged(
    sealed: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(limits, "QUERY_SECONDS", -1)
    monkeypatch.setattr(versions, "SNAPSHOT_CHECK_SECONDS", -1)
    file = SnapshotFile(sealed)
    file.refresh()
    wait_for(lambda: not file.verifying, "the end of the check")
    assert file.problem is None
    assert "too large to be checked" in caplog.text


def test_after_an_error_the_file_is_read_again_but_not_at_every_error(
    sealed: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    file = SnapshotFile(sealed)
    file.refresh()
    rot(sealed)
    file.refresh()
    assert file.problem is None
    file.verify_again()
    assert file.served_damaged
    sound = SnapshotFile(sample.build(sealed.parent / "other"))
    sound.refresh()
    sound.verify_again()
    rot(sound.path)
    sound.verify_again()
    assert sound.problem is None
    monkeypatch.setattr(versions, "SECONDS_BETWEEN_SNAPSHOT_CHECKS", 0)
    sound.verify_again()
    assert sound.problem is not None


def rot(path: Path) -> None:
    """Bytes change, and nobody wrote them: the file's time stays."""
    content, status = bytearray(path.read_bytes()), path.stat()
    content[8192:12288] = bytes(4096)
    path.write_bytes(bytes(content))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
