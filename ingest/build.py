"""Builds a snapshot: reads all inputs, finds out which entries are the same paper, writes database and assets."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from msgspec import Struct

from ingest.entries.entry import BuildError
from ingest.entries.report import NoProgress, SnapshotBuildReport, TaskProgress
from ingest.input_reading import InputReading
from ingest.matching.identity import PaperIdentity, PreviousIds, identities
from ingest.matching.matcher import Matcher
from ingest.matching.records import merged
from ingest.publishing.assets import PaperFiles, write_documents
from ingest.publishing.database import SnapshotWriter
from ingest.publishing.paper_rows import PreparedPaper, prepare
from ingest.publishing.publish import build_folder, publish, refuse_open_log
from ingest.reading.inputs import BuildFolders, Inputs
from ingest.workers import PAPERS_WORTH_PROCESSES, Workers, parts_of
from papercore.snapshot.file import write_checksum
from papercore.snapshot.layout import DATABASE


class PaperJob(Struct, frozen=True):
    """A paper's identity, its entries as they were stored, and its files."""

    identity: PaperIdentity
    entries: Sequence[str]
    files: PaperFiles


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
    progress, report, matcher = progress or NoProgress(), SnapshotBuildReport(out=out), Matcher()
    with build_folder(out) as folder:
        with (
            closing(Workers()) as workers,
            closing(InputReading(folder, found, matcher, report, progress)) as reading,
            closing(SnapshotWriter(folder / DATABASE)) as database,
        ):
            reading.read()
            keys = {number: keys for number, keys in enumerate(matcher.keys) if keys}
            jobs = _jobs(reading, identities(keys, previous_ids))
            papers = _prepared_papers(jobs, len(keys), reading.assets.root, workers)
            for paper in progress.track("Writing", papers, total=len(keys)):
                database.add(paper)
                report.papers += 1
            reading.note_unused_files()
            progress.say("Counting and indexing")
            report.build_id = database.finish()
        write_checksum(folder / DATABASE)
        publish(folder, out)
    return report


def _jobs(reading: InputReading, identity_of: dict[int, PaperIdentity]) -> Iterator[PaperJob]:
    for number, entries in reading.papers():
        files = PaperFiles()
        if reading.has_files:
            reading.add_files(number, merged(entries), files)
        yield PaperJob(identity_of[number], entries, files)


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
        record = merged(job.entries)
        write_documents(assets, job.identity.paper_id, record, job.files)
        prepared.append(prepare(job.identity, record, job.files))
    return prepared
