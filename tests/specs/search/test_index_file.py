"""The index on disk: replaced as a whole, and of no use when it is damaged or of another version."""

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from specs import tools
from specs.errors import IndexNotBuilt
from specs.reading.projects import projects
from specs.search import index_file
from tests.specs.folders import MAIN, write


def test_a_damaged_index_counts_as_not_built(indexed: Path) -> None:
    path = index_file.index_path(projects()[0])
    for data in (b"", b"PK\x03\x04nonsense", path.read_bytes()[:-100]):
        path.write_bytes(data)
        with pytest.raises(IndexNotBuilt):
            tools.search_specs("snooze")


def test_an_index_of_another_version_is_refused_and_rebuilt(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = index_file.index_path(projects()[0])
    with np.load(path) as arrays:
        content = {name: arrays[name] for name in arrays.files}
    meta = json.loads(content["meta"].tobytes()) | {"version": 1}
    np.savez(path, **content | {"meta": np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)})
    with pytest.raises(IndexNotBuilt, match=r"another version.*manage\.py build_spec_index"):
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


def test_an_index_that_cannot_be_written_leaves_the_old_one_and_nothing_else(indexed: Path) -> None:
    path = index_file.index_path(projects()[0])
    before = path.read_bytes()
    write(indexed, {"specs/alarm-clock/spec.md": MAIN.replace("nine", "ten")})
    with files_limited_to(len(before) // 2), pytest.raises(OSError, match="File too large"):
        call_command("build_spec_index")
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before
