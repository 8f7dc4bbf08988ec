"""Keeps entries on disk while the inputs are read, so that memory does not grow with their texts."""

import sqlite3
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from papers.build.entry import PaperEntry


class EntryStore:
    """A temporary database in the folder in which the snapshot is built."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.execute("PRAGMA journal_mode=OFF")
        self._database.execute("PRAGMA synchronous=OFF")
        self._database.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, number INTEGER, body TEXT)")
        self._database.execute("BEGIN")

    def add(self, number: int, entry: PaperEntry) -> None:
        body = entry.model_dump_json(exclude_defaults=True)
        self._database.execute("INSERT INTO entry (number, body) VALUES (?, ?)", (number, body))

    def renumber(self, root_of: Callable[[int], int], papers: int) -> None:
        """Move the entries of papers that were joined to another one."""
        moved = [(root_of(number), number) for number in range(papers) if root_of(number) != number]
        self._database.execute("CREATE INDEX entry_number ON entry (number)")
        self._database.executemany("UPDATE entry SET number = ? WHERE number = ?", moved)

    def papers(self) -> Iterator[tuple[int, list[PaperEntry]]]:
        """Every paper's number with its entries, in order of appearance."""
        rows = self._database.execute("SELECT number, body FROM entry ORDER BY number, id")
        for number, group in groupby(rows, itemgetter(0)):
            yield number, [PaperEntry.model_validate_json(body) for _, body in group]

    def close(self) -> None:
        self._database.close()
