"""Keeps entries on disk while the inputs are read, so that memory does not grow with their texts."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from ingest.entries.entry import PaperEntry
from ingest.matching.records import Record, merge


class Rank(IntEnum):
    """Whose values count where entries about one paper disagree, the first before the others."""

    BIBLIOGRAPHY = 0
    # What a library that is updated said of the paper before.
    LIBRARY = 1
    # What a file says of itself.
    PDF = 2


def merged(entries: Sequence[str]) -> Record:
    """The record of a paper from its stored entries."""
    return merge([PaperEntry.model_validate_json(entry) for entry in entries])


class EntryStore:
    """A temporary database in the folder in which the snapshot is built."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.execute("PRAGMA journal_mode=OFF")
        self._database.execute("PRAGMA synchronous=OFF")
        self._database.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, number INTEGER, rank INTEGER, body TEXT)")
        self._database.execute("BEGIN")

    def add(self, number: int, entry: PaperEntry, rank: Rank = Rank.BIBLIOGRAPHY) -> None:
        body = entry.model_dump_json(exclude_defaults=True)
        self._database.execute("INSERT INTO entry (number, rank, body) VALUES (?, ?, ?)", (number, rank, body))

    def renumber(self, root_of: Callable[[int], int], papers: int) -> None:
        """Move the entries of papers that were joined to another one."""
        moved = [(root_of(number), number) for number in range(papers) if root_of(number) != number]
        self._database.execute("CREATE INDEX entry_number ON entry (number)")
        self._database.executemany("UPDATE entry SET number = ? WHERE number = ?", moved)

    def papers(self) -> Iterator[tuple[int, list[str]]]:
        """Every paper's number with its entries as they are stored, by rank, then in order of appearance."""
        rows = self._database.execute("SELECT number, body FROM entry ORDER BY number, rank, id")
        for number, group in groupby(rows, itemgetter(0)):
            yield number, [body for _, body in group]

    def close(self) -> None:
        self._database.close()
