"""Reads .ris and .nbib entry by entry."""

from collections.abc import Iterator
from pathlib import Path

from ingest.entries.entry import BadEntry, LocatedEntry, PaperEntry, Problem
from ingest.reading.nbib import nbib_entry
from ingest.reading.ris_entry import ris_entry
from ingest.reading.ris_tags import TaggedEntry, read_tagged_entries


def read_ris(path: Path) -> Iterator[LocatedEntry | Problem]:
    """The entries of a file, which are RIS or NBIB whatever its name says."""
    for tagged in read_tagged_entries(path):
        try:
            yield LocatedEntry(tagged.line, _paper(tagged), tagged.warnings)
        except BadEntry as error:
            yield Problem(f"{path}:{tagged.line}", str(error))


def _paper(tagged: TaggedEntry) -> PaperEntry:
    if tagged.problem:
        raise BadEntry(tagged.problem)
    return nbib_entry(tagged.tags) if tagged.is_nbib else ris_entry(tagged.tags)
