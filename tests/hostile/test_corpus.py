"""Each hostile file, brought as a person would bring it: it ends with a sentence, within bounds, and harms nobody."""

import gc
import io
import os
import resource
import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from ingest import BuildError, preview_update
from papers.library.received_files import ReceivedFiles
from tests.hostile.corpus import CORPUS

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has these limits")
CHILD_SECONDS = 60
CHILD_BYTES = 2_000_000_000
GROWTH_BYTES = 50_000_000
# In `make test` one in so many; all of them in `make test-all`.
SHARE = 12


def outcome(name: str, content: bytes, folder: Path) -> str:
    """Everything that its reader is told."""
    received = ReceivedFiles(folder / "files")
    received.folder.mkdir()
    if name.startswith("zotero: "):
        (received.folder / "zotero.sqlite").write_bytes(content)
        received.paths.append(received.folder)
    else:
        received.add(name.partition(": ")[2], io.BytesIO(content))
    said = [*received.problems, *map(str, received.identifiers)]
    if received.paths:
        try:
            report = preview_update(folder / "library", received.paths)
        except BuildError as error:
            said.append(str(error))
        else:
            said += [*map(str, report.problems), report.describe()]
    return "\n".join(said)


def own_bytes() -> int:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if n % SHARE else []) for n, name in enumerate(CORPUS)],
)
def test_a_hostile_file_ends_with_a_sentence(name: str, tmp_path: Path, settings: Settings) -> None:
    content = CORPUS[name]()
    before, memory = resource.getrusage(resource.RUSAGE_CHILDREN), own_bytes()
    said = outcome(name, content, tmp_path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert said.strip()
    assert "Traceback" not in said
    assert "reading it failed" not in said, said
    # Of all children together; a child is told to end at its limit, and takes a moment.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < CHILD_SECONDS + 5
    assert after.ru_maxrss * 1024 <= max(CHILD_BYTES, before.ru_maxrss * 1024)
    assert own_bytes() - memory < GROWTH_BYTES


def test_there_are_two_hundred_of_all_kinds() -> None:
    assert len(CORPUS) >= 200
    assert {name.partition(":")[0] for name in CORPUS} == {
        *("bib", "ris", "nbib", "json", "zip", "pdf", "zotero", "picture")
    }
