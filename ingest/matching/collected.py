"""The entries of a build, kept on disk while inputs are read, and grouped into works when all are there."""

import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from msgspec import Struct

from ingest.entries.entry import PaperEntry, Problem
from ingest.matching.facts import Facts, facts_of
from ingest.matching.identity import Key, keys_of, owned_keys
from ingest.matching.works import Verdicts, works_of


class CollectedWork(Struct, frozen=True):
    """A work: the number of its first entry, and all its entries as they are stored."""

    number: int
    numbers: list[int]
    entries: list[str]
    disowned: frozenset[str]


class CollectedEntries:
    """A temporary database in the folder in which the snapshot is built, so that memory does not grow with texts."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.execute("PRAGMA journal_mode=OFF")
        self._database.execute("PRAGMA synchronous=OFF")
        self._database.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, work INTEGER, body TEXT)")
        self._database.execute("BEGIN")
        self._facts: list[Facts] = []
        self._keys: list[list[Key]] = []
        self._places: dict[int, str] = {}
        self._disowned: dict[int, frozenset[str]] = {}
        self.has_titles = False
        # Entries that are one work because an input says so.
        self.same: list[tuple[int, int]] = []
        self.conflicts: list[Problem] = []

    def add(self, entry: PaperEntry, collection: str, place: str) -> int:
        """Keep an entry; returns its number."""
        number = len(self._facts)
        body = entry.model_dump_json(exclude_defaults=True)
        keys = keys_of(entry)
        self._database.execute("INSERT INTO entry VALUES (?, ?, ?)", (number, number, body))
        self._facts.append(facts_of(entry, keys[-1].text, collection, body))
        self._keys.append(keys)
        self.has_titles |= bool(entry.title)
        if entry.doi:
            self._places[number] = place
        return number

    def group(self) -> dict[int, list[Key]]:
        """Find the works; returns the keys of each that has a title, by its number."""
        works = works_of(dict(enumerate(self._facts)), Verdicts(same=self.same))
        members = {min(entries): sorted(entries) for entries in works.members}
        moved = [(number, entry) for number, entries in members.items() for entry in entries[1:]]
        self._database.executemany("UPDATE entry SET work = ? WHERE id = ?", moved)
        titled = {
            number: entries
            for number, entries in sorted(members.items())
            if any(self._facts[entry].title or not self._facts[entry].is_file for entry in entries)
        }
        keys, self._disowned = owned_keys({n: [self._keys[e] for e in entries] for n, entries in titled.items()})
        for number, dois in self._disowned.items():
            for entry in members[number]:
                for doi in {key.text.partition(":")[2] for key in self._keys[entry] if key.type == "doi"} & dois:
                    message = f"doi:{doi} belongs to another paper; left out here"
                    self.conflicts.append(Problem(self._places[entry], message))
        return keys

    def works(self) -> Iterator[CollectedWork]:
        """Every work, in the order in which they were met."""
        rows = self._database.execute("SELECT work, id, body FROM entry ORDER BY work, id")
        for work, group in groupby(rows, itemgetter(0)):
            members = list(group)
            disowned = self._disowned.get(work, frozenset())
            yield CollectedWork(work, [number for _, number, _ in members], [body for *_, body in members], disowned)

    def close(self) -> None:
        self._database.close()
