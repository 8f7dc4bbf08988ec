"""Builds a snapshot: reads all inputs, finds out which entries are the same paper, writes database and assets."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from msgspec import Struct

from ingest.changing import refuse_corrected
from ingest.entries.entry import BuildError, PaperEntry, Problem, UnusableInput
from ingest.entries.report import NoProgress, SnapshotBuildReport, TaskProgress
from ingest.matching.collected import CollectedEntries
from ingest.matching.corrections import record_of
from ingest.matching.identity import PaperIdentity, PreviousIds, identities
from ingest.matching.records import Record
from ingest.publishing.assets import PaperFiles, write_documents
from ingest.publishing.database import SnapshotWriter
from ingest.publishing.paper_files import PaperFileStore
from ingest.publishing.paper_rows import PreparedPaper, prepare
from ingest.publishing.publish import build_folder, publish, refuse_open_log
from ingest.reading.input_reading import InputReading
from ingest.reading.inputs import BuildFolders, Inputs
from ingest.workers import PAPERS_WORTH_PROCESSES, Workers, parts_of
from papercore.snapshot.file import DATABASE, write_checksum


class PaperJob(Struct, frozen=True):
    """A paper's identity, its entries as they were stored, DOIs of other papers that they name, and its files."""

    identity: PaperIdentity
    entries: Sequence[str]
    disowned: frozenset[str]
    files: PaperFiles

    def record(self) -> Record:
        return record_of([PaperEntry.model_validate_json(entry) for entry in self.entries], self.disowned)


def build_snapshot(
    inputs: Sequence[Path],
    out: Path,
    folders: BuildFolders | None = None,
    previous: Path | None = None,
    progress: TaskProgress | None = None,
) -> SnapshotBuildReport:
    """Build the database and the asset folder in `out` from the inputs, completely or not at all.

    Entries that cannot be used are skipped and reported; a BuildError means that nothing was built.
    """
    found = Inputs.of(inputs, folders)
    if not found.has_papers:
        raise BuildError("Nothing to build from: name a bibliography, a PDF, a folder of PDFs or Zotero's data folder.")
    previous_ids = PreviousIds.read(previous / DATABASE) if previous else PreviousIds()
    refuse_open_log(out / DATABASE)
    refuse_corrected(out)
    progress, report = progress or NoProgress(), SnapshotBuildReport(out=out)
    with build_folder(out) as folder:
        with (
            closing(Workers()) as workers,
            closing(CollectedEntries(folder / "entries.db")) as collected,
            closing(SnapshotWriter(folder / DATABASE)) as database,
        ):
            store = PaperFileStore(folder, found.folders, report, progress)
            pdfs = _read(InputReading(found, report, progress), collected, store)
            keys = collected.group()
            for problem in collected.conflicts:
                report.note(problem, progress)
            identity_of = identities(keys, previous_ids)
            jobs = _jobs(collected, identity_of, store, pdfs, report, progress)
            prepared = _prepared_papers(jobs, len(identity_of), store.assets.root, workers)
            for paper in progress.track("Writing", prepared, total=len(identity_of)):
                database.add(paper)
                report.papers += 1
            store.note_unused()
            progress.say("Counting and indexing")
            report.build_id = database.finish()
        write_checksum(folder / DATABASE)
        publish(folder, out)
    return report


class _ReadPdf(Struct, frozen=True):
    path: Path
    text: Path | None
    failure: str


def _read(reading: InputReading, collected: CollectedEntries, store: PaperFileStore) -> dict[int, _ReadPdf]:
    """Collect all entries; returns the PDFs by the numbers of theirs. UnusableInput if an input has no usable entry."""
    pdfs: dict[int, _ReadPdf] = {}
    number_of: dict[str, int] = {}
    for read in reading.entries():
        number = collected.add(read.entry, read.collection, read.place)
        number_of[read.source] = number
        if read.pdf:
            text = store.keep_text(number, read.text) if read.text else None
            pdfs[number] = _ReadPdf(read.pdf, text, reading.failures.get(read.pdf, ""))
        if read.attached_to:
            collected.same.append((number_of[read.attached_to], number))
    if reading.unusable:
        raise reading.unusable[0]
    if not collected.has_titles:
        path, failure = next(iter(reading.failures.items()))
        raise UnusableInput(list(reading.failures), f"{path}: {failure}: no paper found. Nothing was built.")
    return pdfs


def _jobs(
    collected: CollectedEntries,
    identity_of: dict[int, PaperIdentity],
    store: PaperFileStore,
    pdfs: dict[int, _ReadPdf],
    report: SnapshotBuildReport,
    progress: TaskProgress,
) -> Iterator[PaperJob]:
    for work in collected.works():
        own = [pdfs[number] for number in work.numbers if number in pdfs]
        is_paper = work.number in identity_of
        for pdf in own:
            if pdf.failure:
                (report.note if is_paper else report.skip)(Problem(str(pdf.path), pdf.failure), progress)
            elif pdf is not own[0]:
                report.note(Problem(str(pdf.path), "another PDF of the same paper is used"), progress)
        if not is_paper:
            continue
        job = PaperJob(identity_of[work.number], work.entries, work.disowned, PaperFiles())
        if own or store.names:
            store.add(job.record(), job.files, own[0].path if own else None, own[0].text if own else None)
        yield job


def _prepared_papers(jobs: Iterable[PaperJob], papers: int, assets: Path, workers: Workers) -> Iterator[PreparedPaper]:
    """The papers in their order, prepared in other processes where there are many."""
    if papers < PAPERS_WORTH_PROCESSES or not workers.are_several:
        yield from (_prepare_part([job], assets)[0] for job in jobs)
        return
    for prepared in workers.map(partial(_prepare_part, assets=assets), parts_of(jobs)):
        yield from prepared


def _prepare_part(jobs: Sequence[PaperJob], assets: Path) -> list[PreparedPaper]:
    """Papers ready for the tables; their documents are written to the asset folder."""
    prepared = []
    for job in jobs:
        record = job.record()
        write_documents(assets, job.identity.paper_id, record, job.files)
        prepared.append(prepare(job.identity, record, job.files))
    return prepared
