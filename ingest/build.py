"""Builds a snapshot: reads all inputs, finds out which entries are the same paper, writes database and assets."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ingest.entries.errors import BuildError
from ingest.input_reading import InputReading
from ingest.matching.entry_store import merged
from ingest.matching.identity import PaperIdentity, PreviousIds, identities
from ingest.matching.matcher import Matcher
from ingest.parallel import PaperJob, prepared_papers
from ingest.progress import NoProgress, TaskProgress
from ingest.publishing.database import SnapshotWriter
from ingest.publishing.paper_files import PaperFiles
from ingest.publishing.publish import build_folder, publish, refuse_open_log
from ingest.reading.inputs import BuildFolders, Inputs
from ingest.report import SnapshotBuildReport
from ingest.workers import Workers
from papercore.snapshot.checksum import write_checksum
from papercore.snapshot.layout import DATABASE


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
    with build_folder(out) as folder:
        build = _SnapshotBuild(folder, found, progress or NoProgress(), SnapshotBuildReport(out=out))
        try:
            build.reading.read()
            build.write(previous_ids)
        finally:
            build.close()
        write_checksum(folder / DATABASE)
        publish(folder, out)
    return build.report


class _SnapshotBuild:
    def __init__(self, folder: Path, inputs: Inputs, progress: TaskProgress, report: SnapshotBuildReport) -> None:
        self.report = report
        self._progress = progress
        self._matcher = Matcher()
        self._workers = Workers()
        self.reading = InputReading(folder, inputs, self._matcher, report, progress, workers=self._workers)
        self._database = SnapshotWriter(folder / DATABASE)

    def close(self) -> None:
        self._workers.close()
        self.reading.close()
        self._database.close()

    def write(self, previous_ids: PreviousIds) -> None:
        keys = {number: keys for number, keys in enumerate(self._matcher.keys) if keys}
        identity_of = identities(keys, previous_ids)
        papers = prepared_papers(self._jobs(identity_of), len(keys), self.reading.assets.root, self._workers)
        for paper in self._progress.track("Writing", papers, total=len(keys)):
            self._database.add(paper)
            self.report.papers += 1
        self.reading.note_unused_files()
        self._progress.say("Counting and indexing")
        self.report.build_id = self._database.finish()

    def _jobs(self, identity_of: Mapping[int, PaperIdentity]) -> Iterator[PaperJob]:
        for number, entries in self.reading.papers():
            files = PaperFiles()
            if self.reading.has_files:
                self.reading.add_files(number, merged(entries), files)
            yield PaperJob(identity_of[number], entries, files)
