"""Makes papers ready for the tables, in as many processes as there are cores."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from papers.build.assets import write_documents
from papers.build.entry_store import merged
from papers.build.errors import BuildError
from papers.build.paper_files import PaperFiles
from papers.build.paper_ids import PaperIdentity
from papers.build.prepared_paper import PreparedPaper, prepare

# Fewer papers are ready before other processes have started.
_PAPERS_WORTH_PROCESSES = 2_000
_PAPERS_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class PaperJob:
    """A paper's identity, its entries as they were stored, and its files."""

    identity: PaperIdentity
    entries: Sequence[str]
    files: PaperFiles


def prepared_papers(jobs: Iterable[PaperJob], papers: int, assets: Path) -> Iterator[PreparedPaper]:
    """The papers in their order; the documents of each are written to the asset folder."""
    processes = _cores()
    if papers < _PAPERS_WORTH_PROCESSES or processes == 1:
        yield from (_prepare(job, assets) for job in jobs)
        return
    with ExitStack() as stack:
        pool = ProcessPoolExecutor(processes, get_context("spawn"))
        stack.callback(pool.shutdown, cancel_futures=True)
        parts = _parts(jobs)
        # A few parts ahead, so that no process waits and the texts of a whole library are never held at once.
        waiting: deque[Future[list[PreparedPaper]]] = deque()
        try:
            waiting.extend(pool.submit(_prepare_all, part, assets) for part in islice(parts, 2 * processes))
            while waiting:
                done = waiting.popleft().result()
                waiting.extend(pool.submit(_prepare_all, part, assets) for part in islice(parts, 1))
                yield from done
        except BrokenProcessPool:
            raise BuildError("A process of the build was ended; is there enough memory? Nothing was built.") from None


def _cores() -> int:
    """The cores that this process may use; not every system can say which."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _parts(jobs: Iterable[PaperJob]) -> Iterator[list[PaperJob]]:
    remaining = iter(jobs)
    while part := list(islice(remaining, _PAPERS_AT_ONCE)):
        yield part


def _prepare_all(jobs: Sequence[PaperJob], assets: Path) -> list[PreparedPaper]:
    return [_prepare(job, assets) for job in jobs]


def _prepare(job: PaperJob, assets: Path) -> PreparedPaper:
    record = merged(job.entries)
    write_documents(assets, job.identity.paper_id, record, job.files)
    return prepare(job.identity, record, job.files)
