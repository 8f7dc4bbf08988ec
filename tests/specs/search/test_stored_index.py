"""The index on disk: replaced as a whole, and of no use when it is damaged or of another version."""

import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from papersite.command.commands import call_command
from specs import health, tools
from specs.reading.files import projects
from specs.search import index
from specs.search.search import IndexNotBuilt
from tests.specs.folders import MAIN, write


@pytest.fixture
def stored(indexed: Path) -> Path:
    return index.index_path(projects()[0])


def test_a_damaged_index_counts_as_not_built(stored: Path) -> None:
    for data in (b"", b"PK\x03\x04nonsense", stored.read_bytes()[:-100]):
        stored.write_bytes(data)
        with pytest.raises(IndexNotBuilt, match=r"is damaged.*papersite build-spec-index"):
            tools.search_specs("snooze")


def test_every_changed_byte_is_noticed_logged_and_repaired_by_building_again(
    stored: Path, caplog: pytest.LogCaptureFixture
) -> None:
    content = stored.read_bytes()
    chance = random.Random(6)
    for _ in range(40):
        place = chance.randrange(len(content))
        changed = bytes([content[place] ^ chance.randrange(1, 256)])
        stored.write_bytes(content[:place] + changed + content[place + 1 :])
        assert index.read(projects()[0]).problem == "is damaged", place
    part = health.part()
    assert (part.state, part.hint) == (
        "degraded",
        "The search index of openspec is damaged: run 'papersite build-spec-index'.",
    )
    assert "The search index of the specs of openspec is damaged" in caplog.text
    call_command("build_spec_index")
    assert health.part().state == "ok"
    assert tools.search_specs("snooze").results[0].requirement == "Snooze"


def test_a_file_that_may_not_be_read_is_said_and_used_once_it_may(stored: Path) -> None:
    content = stored.read_bytes()
    stored.unlink()
    stored.mkdir()
    assert index.read(projects()[0]).problem == "cannot be read (Is a directory)"
    stored.rmdir()
    stored.write_bytes(content)
    assert index.load(projects()[0]) is not None


def test_an_index_of_another_version_is_refused_and_rebuilt(
    stored: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "VERSION", index.VERSION + 1)
    index._read.cache_clear()
    with pytest.raises(IndexNotBuilt, match=r"another version.*papersite build-spec-index"):
        tools.search_specs("snooze")
    capsys.readouterr()
    call_command("build_spec_index")
    assert "0 of them unchanged" in capsys.readouterr().out
    assert tools.search_specs("snooze").results[0].requirement == "Snooze"


@contextmanager
def files_limited_to(size: int) -> Iterator[None]:
    """No file may grow beyond this size: writing more fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_an_index_that_cannot_be_written_leaves_the_old_one_and_nothing_else(indexed: Path, stored: Path) -> None:
    before = stored.read_bytes()
    write(indexed, {"specs/alarm-clock/spec.md": MAIN.replace("nine", "ten")})
    with files_limited_to(len(before) // 2), pytest.raises(OSError, match="File too large"):
        call_command("build_spec_index")
    assert [file.name for file in stored.parent.iterdir()] == [stored.name]
    assert stored.read_bytes() == before
