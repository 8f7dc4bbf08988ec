"""Makes papers ready for the tables, in other processes where there are many."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from ingest.matching.entry_store import merged
from ingest.matching.identity import PaperIdentity
from ingest.publishing.assets import write_documents
from ingest.publishing.paper_files import PaperFiles
from ingest.publishing.prepared_paper import PreparedPaper, prepare
from ingest.workers import PAPERS_WORTH_PROCESSES, Workers, parts_of


class PaperJob(Struct, frozen=True):
    """A paper's identity, its entries as they were stored, and its files."""

    identity: PaperIdentity
    entries: Sequence[str]
    files: PaperFiles


def prepared_papers(jobs: Iterable[PaperJob], papers: int, assets: Path, workers: Workers) -> Iterator[PreparedPaper]:
    """The papers in their order; the documents of each are written to the asset folder."""
    if papers < PAPERS_WORTH_PROCESSES or not workers.are_several:
        yield from (_prepare(job, assets) for job in jobs)
        return
    for prepared in workers.map(partial(_prepare_all, assets=assets), parts_of(jobs)):
        yield from prepared


def _prepare_all(jobs: Sequence[PaperJob], assets: Path) -> list[PreparedPaper]:
    return [_prepare(job, assets) for job in jobs]


def _prepare(job: PaperJob, assets: Path) -> PreparedPaper:
    record = merged(job.entries)
    write_documents(assets, job.identity.paper_id, record, job.files)
    return prepare(job.identity, record, job.files)
