"""What people say of papers: corrections, merges, splits; and any operation taken back or made again."""

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import product
from pathlib import Path

from msgspec.structs import replace

from ingest.changing import ChangeSettings, change_library, changing, errors_translated, open_library
from ingest.entries.entry import BuildError, Problem
from ingest.entries.report import UpdateReport
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.ledger.library_change import LibraryChange
from ingest.ledger.readings import StoredReadings
from ingest.ledger.rows import Operation, OperationKind
from ingest.matching.corrections import Corrections
from ingest.reading.input_reading import InputReading
from ingest.reading.inputs import Inputs
from papercore.snapshot.file import DATABASE


def edit_paper(
    library: Path, paper: str, corrections: Corrections, *, settings: ChangeSettings | None = None
) -> UpdateReport:
    """Correct fields of a paper; an empty value takes one away. What is corrected outlives every import."""

    def act(change: LibraryChange, operation: int) -> None:
        change.correct(operation, change.paper(paper), corrections)

    return _operate(library, act, "edit", f"{paper} {' '.join(corrections)}", settings)


def merge_papers(library: Path, papers: Sequence[str], *, settings: ChangeSettings | None = None) -> UpdateReport:
    """Say that these papers are one; it has the id of the oldest."""

    def act(change: LibraryChange, operation: int) -> None:
        first, *others = [sorted(change.ledger.entries_of([change.paper(name)])) for name in papers]
        for entries in others:
            change.ledger.add_verdicts(operation, product(first, entries), same=True)

    return _operate(library, act, "merge", " ".join(papers), settings)


def split_paper(
    library: Path, paper: str, entries: Sequence[int], *, settings: ChangeSettings | None = None
) -> UpdateReport:
    """Say that these entries are about another paper than the other entries of this one."""

    def act(change: LibraryChange, operation: int) -> None:
        members = change.ledger.entries_of([change.paper(paper)])
        apart = members & set(entries)
        if not apart or apart == members:
            raise BuildError("Name some of the paper's entries, and not all: the others stay.")
        change.ledger.add_verdicts(operation, product(sorted(apart), sorted(members - apart)), same=False)

    return _operate(library, act, "split", paper, settings)


def tell_apart(library: Path, one: str, other: str, *, settings: ChangeSettings | None = None) -> UpdateReport:
    """Say that two papers are not the same, whatever they have in common."""

    def act(change: LibraryChange, operation: int) -> None:
        papers = [change.paper(name) for name in (one, other)]
        first, second = (sorted(change.ledger.entries_of([paper])) for paper in papers)
        change.ledger.add_verdicts(operation, product(first, second), same=False)
        change.ledger.note_changes(operation, [("apart", paper, change.title(paper)) for paper in papers])

    return _operate(library, act, "apart", f"{one} {other}", settings)


def attach_pdf(library: Path, paper: str, path: Path, *, settings: ChangeSettings | None = None) -> UpdateReport:
    """Make a file the PDF of a paper, in place of the one that it has; the file's text becomes the paper's."""
    settings = settings or ChangeSettings()
    report = UpdateReport(library=library)
    with errors_translated(), closing(StoredReadings(library)) as readings:
        reading = InputReading(Inputs.of([path], None), report, settings.progress, readings=readings)
        (read,) = reading.entries()
        sha256 = readings.hash_of(path)
    if path in reading.failures:
        report.note(Problem(path.name, reading.failures[path]), settings.progress)

    def act(change: LibraryChange, operation: int) -> None:
        change.attach_pdf(operation, change.paper(paper), path, sha256, read.text)

    return _operate(library, act, "attach", f"{paper} {path.name}", settings, report=report)


def undo(library: Path, operation: int | None = None, *, settings: ChangeSettings | None = None) -> Operation:
    """Take an operation back, by default the last that counts."""
    return _set_active(library, operation, False, settings)


def redo(library: Path, operation: int | None = None, *, settings: ChangeSettings | None = None) -> Operation:
    """Make an operation count again, by default the last that was taken back."""
    return _set_active(library, operation, True, settings)


def _set_active(library: Path, number: int | None, active: bool, settings: ChangeSettings | None) -> Operation:
    found: list[Operation] = []

    def act(change: LibraryChange, _: int) -> None:
        candidates = [each for each in change.ledger.operations() if each.active != active]
        named = [each for each in candidates if number in (None, each.id)]
        if not named:
            what = "taken back" if active else "made"
            raise BuildError(f"{library}: there is no operation{f' {number}' if number else ''} that was {what}.")
        # The last that was made is taken back first, and the last that was taken back is made again first.
        chosen = max(reversed(named), key=lambda each: each.taken_back) if active else named[0]
        entries, papers = change.ledger.touched_by(chosen.id)
        change.ledger.set_active(chosen.id, active)
        change.entries |= entries
        change.paper_ids |= papers
        found.append(replace(chosen, active=active))

    _operate(library, act, None, "", settings)
    return found[0]


def _operate(
    library: Path,
    act: Callable[[LibraryChange, int], None],
    kind: OperationKind | None,
    said: str,
    settings: ChangeSettings | None,
    report: UpdateReport | None = None,
) -> UpdateReport:
    settings = settings or ChangeSettings()
    report = report or UpdateReport(library=library)
    with errors_translated():
        if not (library / DATABASE).is_file():
            raise BuildError(f"{library} holds no {DATABASE}: add papers first.")
        with changing(library, settings, f"{kind or 'undo'} {said}".strip()) as folder:
            change_library(library, folder, act, kind, said, settings, report)
    return report


def history(library: Path) -> list[Operation]:
    """What was done to a library, the last first."""
    if not (library / LEDGER).is_file():
        return []
    with errors_translated(), closing(Ledger(library / LEDGER)) as ledger:
        return ledger.operations()


def build_id_of(library: Path) -> str:
    """Which version a library is now; empty if there is none."""
    if not (library / DATABASE).is_file():
        return ""
    with errors_translated(), open_library(library) as (build_id, _):
        return build_id
