"""Adds the papers of inputs to a library through its ledger, or tells what that would do; removes papers."""

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ingest.changing import ChangeSettings, change_library, changing, errors_translated, open_library
from ingest.entries.entry import BuildError, UnusableInput
from ingest.entries.report import NoProgress, TaskProgress, UpdateReport
from ingest.importing import Import
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.ledger.library_change import LibraryChange
from ingest.ledger.rows import Decisions, OperationKind
from ingest.reading.inputs import BuildFolders, Inputs


def update_library(
    library: Path,
    add: Sequence[Path] = (),
    remove: Sequence[str] = (),
    folders: BuildFolders | None = None,
    *,
    gone: Sequence[Path] = (),
    follow: bool = False,
    decisions: Decisions | None = None,
    settings: ChangeSettings | None = None,
) -> UpdateReport:
    """Add the papers of these inputs to a library, or change the ones it has; remove papers by id or key.

    Papers are published while others are read. An input that cannot be used is reported, and does not stop the
    others. With `follow`, what a file said before and says no more is withdrawn; `gone` are files that say nothing any
    more. A library that is not there is founded. A BuildError means that nothing more was changed: what was published
    before it is one operation, and can be undone.
    """
    settings = settings or ChangeSettings()
    report = UpdateReport(library=library)
    inputs = _inputs(add, folders, report, settings.progress)
    if not (inputs.has_papers or inputs.has_files or remove or gone or report.unusable):
        raise BuildError("Nothing to change: name files to add, or papers to remove.")
    kind: OperationKind = "add" if add or inputs.has_papers or inputs.has_files or gone else "remove"
    said = settings.said or " ".join([*(path.name for path in (*add, *gone)), *remove])
    with errors_translated():
        given = Import(
            library, inputs, report, settings.progress, remove=remove, gone=gone, follow=follow, decisions=decisions
        )
        with closing(given):
            for batch in given.batches():
                with changing(library, settings, f"{kind} {said}") as folder:
                    take_in = partial(given.take_in, batch, folder)
                    change_library(library, folder, take_in, kind, said, settings, report)
                if not batch.is_last:
                    settings.progress.stage(f"{report.count('added'):,} papers added so far.")
    return report


def preview_update(
    library: Path,
    add: Sequence[Path] = (),
    remove: Sequence[str] = (),
    folders: BuildFolders | None = None,
    progress: TaskProgress | None = None,
) -> UpdateReport:
    """What `update_library` would do: what is read, what is new, what merges with what, and what is doubtful."""
    progress = progress or NoProgress()
    report = UpdateReport(library=library)
    inputs = _inputs(add, folders, report, progress)
    path = library / LEDGER
    with (
        errors_translated(),
        closing(Import(library, inputs, report, progress, remove=remove)) as given,
        TemporaryDirectory() as folder,
        closing(Ledger(path if path.exists() else None)) as ledger,
        open_library(library) as (build_id, stored),
    ):
        batches = list(given.batches())
        with ledger.transaction():
            change = LibraryChange(ledger, stored, library, Path(folder))
            operation = ledger.begin_operation("add", "", "")
            for batch in batches:
                given.take_in(batch, Path(folder), change, operation)
            plan = change.plan()
            report.add(change.describe(plan, change.changes(plan)))
            for problem in change.removed_again():
                report.note(problem, progress)
            report.build_id = build_id
    return report


def _inputs(add: Sequence[Path], folders: BuildFolders | None, report: UpdateReport, progress: TaskProgress) -> Inputs:
    """Those that can be read; the others are reported. UnusableInput if there is none."""
    usable: list[Path] = []
    refused: list[UnusableInput] = []
    for path in add:
        try:
            Inputs.of([path], None)
            usable.append(path)
        except UnusableInput as error:
            refused.append(error)
    last = refused.pop() if refused and not usable else None
    for each in refused:
        report.refuse(each, progress)
    if last:
        raise last
    return Inputs.of(usable, folders)
