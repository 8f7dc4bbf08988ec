"""check_snapshot and build_index compare every file with its checksum: one changed byte is enough."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError

from ingest import index_state
from ingest.checking import check_snapshot
from papercore.snapshot.file import write_checksum
from papersite.command.commands import call_command
from tests import snapshot as sample


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A snapshot with its checksum and an index."""
    database = sample.build(tmp_path)
    write_checksum(database)
    call_command("build_index", tmp_path, stdout=StringIO(), stderr=StringIO())
    return database


def problems(database: Path) -> list[str]:
    # Like a command, which starts in a process of its own.
    index_state.index_folder.cache_clear()
    return check_snapshot(database, None).problems


def largest(library: Path, pattern: str) -> Path:
    return max((library.parent / "index").glob(f"generation-*/{pattern}"), key=lambda path: path.stat().st_size)


def change_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x10
    path.write_bytes(bytes(content))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def test_a_sound_library_has_no_problems(library: Path) -> None:
    assert problems(library) == []


@pytest.mark.parametrize("harm", [change_byte, cut])
@pytest.mark.parametrize("pattern", ["words/*.store", "words/*.idx", "vectors.npy", "values/author/*"])
def test_a_damaged_file_of_the_index_is_found_and_built_again_if_needed(
    library: Path, pattern: str, harm: Callable[[Path], None]
) -> None:
    path = largest(library, pattern)
    harm(path)
    (problem,) = problems(library)
    assert problem.startswith("Search index: the index is not used")
    assert path.name in problem
    call_command("build_index", library.parent, if_needed=True, stdout=StringIO(), stderr=StringIO())
    assert problems(library) == []


def test_a_changed_title_in_the_snapshot_is_found_and_not_indexed(library: Path) -> None:
    title = b"Attention Is All You Need"
    library.write_bytes(library.read_bytes().replace(title, title.lower()))
    assert problems(library) == ["The snapshot is damaged, its checksum differs: build or copy it again."]
    with pytest.raises(CommandError, match="checksum differs"):
        call_command("build_index", library.parent, stdout=StringIO(), stderr=StringIO())


def test_a_damaged_page_of_the_snapshot_is_found(library: Path) -> None:
    content = bytearray(library.read_bytes())
    content[8192:8292] = bytes(100)
    library.write_bytes(bytes(content))
    assert problems(library) != []
