"""One update for files that appeared, changed or went: what it removes and adds, and what is remembered of it."""

from collections.abc import Collection, Mapping
from pathlib import Path

from msgspec import Struct

from ingest import PaperChange, UpdateReport, is_zotero
from ingest.watching.memory import FileMemory, WatchMemory


class Batch(Struct, frozen=True):
    """`changed` are files with their stamps; `read_again` are others that gave a paper which is made anew."""

    changed: Mapping[Path, str]
    gone: Collection[Path]
    remove: tuple[str, ...]
    read_again: tuple[Path, ...]

    @property
    def add(self) -> list[Path]:
        """Bibliographies first, so that PDFs find their entries."""
        return sorted((*self.changed, *self.read_again), key=lambda path: (path.suffix.lower() == ".pdf", path))


def batch_for(
    changed: Mapping[Path, str],
    gone: Collection[Path],
    memory: WatchMemory,
    present: Mapping[str, str],
    unusable: Collection[Path] = (),
) -> Batch:
    """What the files gave before is replaced, where nobody else has changed it since.

    `present` has the fingerprints of papers as they are in the library now. What a file gave that cannot be used at
    the moment stays.
    """
    touched = [*changed, *gone]
    kept = set(memory.papers_of(unusable))
    given = [paper_id for paper_id in memory.papers_of(touched) if paper_id in present and paper_id not in kept]
    remove = [paper_id for paper_id in given if memory.own_papers.get(paper_id) == present[paper_id]]
    again = [path for path in memory.files_with(remove) if path not in touched and _is_there(path)]
    return Batch(changed, gone, tuple(remove), tuple(again))


def remember(batch: Batch, report: UpdateReport, memory: WatchMemory, after: Mapping[str, str]) -> None:
    """Note what the files gave; `after` has the fingerprints of the papers that the update was about."""
    gave: dict[Path, dict[str, None]] = {path: {} for path in batch.add}
    for change in report.changes:
        for path in gave.keys() & _files_of(change):
            gave[path][change.paper_id] = None
        fingerprint = memory.own_papers.pop(change.paper_id, "")
        was_own = fingerprint and fingerprint == report.fingerprints.get(change.paper_id)
        if change.paper_id in after and (was_own or change.from_inputs_alone):
            memory.own_papers[change.paper_id] = after[change.paper_id]
    for path, paper_ids in gave.items():
        stamp = batch.changed.get(path) or memory.files[path].stamp
        memory.files[path] = FileMemory(stamp=stamp, paper_ids=tuple(paper_ids))
    for path in batch.gone:
        memory.files.pop(path, None)


def _files_of(change: PaperChange) -> set[Path]:
    """A place is a file and a line."""
    return {Path(place.rpartition(":")[0]) for place in change.places} | set(map(Path, change.files))


def _is_there(path: Path) -> bool:
    return path.is_file() or is_zotero(path)
