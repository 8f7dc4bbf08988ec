"""Chooses the reader of an input by the ending of its name."""

from collections.abc import Callable, Iterator
from pathlib import Path

from ingest.entries.entry import LocatedEntry, Problem
from ingest.reading.bib import read_bib
from ingest.reading.json_file import read_json
from ingest.reading.jsonl import read_jsonl
from ingest.reading.ris import read_ris

Reader = Callable[[Path], Iterator[LocatedEntry | Problem]]

_READERS: dict[str, Reader] = {
    ".bib": read_bib,
    ".ris": read_ris,
    ".nbib": read_ris,
    ".json": read_json,
    ".jsonl": read_jsonl,
    ".jsonl.gz": read_jsonl,
}
ENDINGS = ", ".join(_READERS)


def reader_of(path: Path) -> Reader | None:
    name = path.name.lower()
    return next((read for ending, read in _READERS.items() if name.endswith(ending)), None)
