"""Each hostile file, brought as a person would bring it: it ends with a sentence, within bounds, and harms nobody."""

import gc
import io
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

from ingest import BuildError, preview_update, update_library
from ingest.reading.looked_up import LookedUpPapers
from papercore.bibliography.identifiers import Identifier
from papers.drafts.kept_checks import CHECKS, CheckState, has_result, result_of, start_check
from papers.library.additions import ADDITIONS, AdditionState, start_attaching, start_reading
from papers.library.kept_work import KeptWork, S
from papers.library.received_files import SentFiles
from papersite.server import memory
from tests.hostile.corpus import CORPUS
from tests.server import wait_for

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has these limits")
CHILD_SECONDS = 60
CHILD_BYTES = 2_000_000_000
GROWTH_BYTES = 50_000_000
SLOT_SECONDS = 90
# In `make test` one in so many, by which all ways come; all of them in `make test-all`.
SHARE = 19


def added(name: str, content: bytes) -> str:
    """Everything that is said to who adds the file to the library."""
    addition = ADDITIONS.new(AdditionState())
    start_reading(addition, sent(addition, name, content), not_looked_up)
    state = finished(addition)
    return "\n".join([state.message, *state.notes, f"{state.read} read" if state.status == "ready" else ""])


def sent(work: KeptWork[S], name: str, content: bytes) -> SentFiles:
    return SentFiles(work.folder / "sent", [(name, io.BytesIO(content))])


def attached(name: str, content: bytes) -> str:
    """Everything that is said to who gives the file to a paper as its PDF."""
    kept, bibliography = Path(settings.DATA) / "kept", Path(settings.DATA) / "one.bib"
    bibliography.write_text("@article{a, title={Cats}, year={1999}}")
    (paper,) = update_library(kept, [bibliography]).changes
    before, settings.SNAPSHOT = settings.SNAPSHOT, kept / "paper_snapshot.db"
    try:
        addition = ADDITIONS.new(AdditionState())
        start_attaching(addition, sent(addition, name, content), paper.paper_id)
        state = finished(addition)
    finally:
        settings.SNAPSHOT = before
    return "\n".join([state.message, *state.notes, state.status])


def not_looked_up(identifiers: Sequence[Identifier]) -> LookedUpPapers:
    return LookedUpPapers([], [], [f"{identifier}: no source is asked here" for identifier in identifiers])


def checked(name: str, content: bytes) -> str:
    """Everything that is said to who has it checked as a draft."""
    check = CHECKS.new(CheckState())
    start_check(check, sent(check, name, content))
    state = finished(check)
    found = result_of(check) if has_result(check) else None
    said = [*found.notes, f"{len(found.sentences)} sentences, {len(found.findings)} findings"] if found else []
    return "\n".join([state.message, *state.notes, *said])


def finished(work: KeptWork[S]) -> S:
    """With an error if it holds its slot for too long."""
    wait_for(lambda: not work.load().is_working, "the slot is free", SLOT_SECONDS)
    return work.load()


def read_in_place(_: str, content: bytes) -> str:
    """A folder of Zotero's is named to a command, and never sent."""
    folder = Path(settings.DATA) / "zotero"
    folder.mkdir(parents=True)
    (folder / "zotero.sqlite").write_bytes(content)
    try:
        report = preview_update(Path(settings.DATA) / "library", [folder])
    except BuildError as error:
        return str(error)
    return "\n".join([*map(str, report.problems), report.describe()])


def ways(name: str) -> list[str]:
    kind = name.partition(":")[0]
    return {"zotero": ["command"], "bib": ["add", "check"], "draft": ["check"], "pdf": ["add", "attach"]}.get(
        kind, ["add"]
    )


BROUGHT = [(name, way) for name in CORPUS for way in ways(name)]


@pytest.fixture(scope="module", autouse=True)
def warmed_up(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What this process needs for any file, it has: modules, caches, and memory for a bibliography of usual size."""
    before, settings.DATA = settings.DATA, tmp_path_factory.mktemp("warm")
    with django_db_blocker.unblock():
        added("many.bib", CORPUS["bib: many.bib"]())
        checked("many.bib", b"".join(b"@misc{k%d, title={T %d}}\n" % (n, n) for n in range(1000)))
        attached("cats.pdf", CORPUS["pdf: cut 5.pdf"]())
        checked("note.md", b"Cats weigh 4 kg [@ames1999]. " * 1000)
        settings.DATA = before
        yield


def own_bytes() -> int:
    """As a worker measures itself after it has given back what it does not need."""
    gc.collect()
    memory.give_back()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    ("name", "way"),
    [pytest.param(*each, marks=[pytest.mark.long] if n % SHARE else []) for n, each in enumerate(BROUGHT)],
)
def test_a_hostile_file_ends_with_a_sentence(
    name: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "DATA", tmp_path)
    content, file = CORPUS[name](), name.partition(": ")[2]
    before, used = resource.getrusage(resource.RUSAGE_CHILDREN), own_bytes()
    bring = {"add": added, "check": checked, "attach": attached}.get(way, read_in_place)
    said = bring(file, content)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert said.strip()
    assert "Traceback" not in said
    assert "internal error" not in said
    assert "reading it failed" not in said, said
    # Of all children together; a child is told to end at its limit, and takes a moment.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < CHILD_SECONDS + 5
    assert after.ru_maxrss * 1024 <= max(CHILD_BYTES, before.ru_maxrss * 1024)
    assert own_bytes() - used < GROWTH_BYTES


def test_there_are_two_hundred_of_all_kinds() -> None:
    assert len(CORPUS) >= 200
    assert {name.partition(":")[0] for name in CORPUS} == {
        *("bib", "ris", "nbib", "json", "zip", "pdf", "zotero", "picture", "draft")
    }
