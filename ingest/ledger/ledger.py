"""The ledger's tables: operations with what they brought or said, entries, and the papers that entries are about.

Every operation can be taken back and made again; what counts follows from those that are active.
"""

import json
from collections.abc import Collection, Iterable, Sequence

import msgspec

from ingest.ledger.log import OperationLog
from ingest.ledger.rows import EntryFiles, StoredEntry, Verdict
from ingest.matching.corrections import Corrections, Field, Value
from ingest.matching.facts import Facts
from ingest.matching.identity import Key

LEDGER = "ledger.db"
_LIVE = """
SELECT DISTINCT s.entry FROM source s JOIN operation o ON o.id = s.operation AND o.active
WHERE s.entry IN (SELECT value FROM json_each(?)) AND NOT EXISTS (
  SELECT 1 FROM source later JOIN operation p ON p.id = later.operation AND p.active
  WHERE later.name = s.name AND later.id > s.id)
"""


class Ledger(OperationLog):
    """One library's: what operations brought and said, and what follows from those that count."""

    # What operations bring and say.

    def add_entry(self, body: str, facts: Facts, files: EntryFiles) -> int:
        """The number of an entry, which is the same for the same entry."""
        stored = msgspec.json.encode(files).decode()
        found = self._database.execute(
            "SELECT id FROM entry WHERE digest = ? AND collection = ? AND files = ?",
            [facts.digest, facts.collection, stored],
        ).fetchone()
        if found:
            return int(found[0])
        sql = "INSERT INTO entry (digest, collection, body, facts, files, paper_id) VALUES (?, ?, ?, ?, ?, '')"
        row = [facts.digest, facts.collection, body, msgspec.msgpack.encode(facts), stored]
        number = int(self._database.execute(sql, row).lastrowid or 0)
        names = [f"title:{name}" for name in facts.names] if facts.is_file else []
        keys = [(key, number) for key in dict.fromkeys([*facts.shared_with(), *names])]
        self._database.executemany("INSERT INTO entry_key VALUES (?, ?)", keys)
        return number

    def source_entry(self, name: str) -> int | None:
        """The entry that a source gives now."""
        sql = (
            "SELECT s.entry FROM source s JOIN operation o ON o.id = s.operation AND o.active"
            " WHERE s.name = ? ORDER BY s.id DESC LIMIT 1"
        )
        row = self._database.execute(sql, [name]).fetchone()
        return row[0] if row else None

    def add_source(self, operation: int, name: str, entry: int | None) -> None:
        """What a source gives from now on; None if it is gone."""
        sql = "INSERT INTO source (operation, name, entry) VALUES (?, ?, ?)"
        self._database.execute(sql, [operation, name, entry])

    def sources_of_file(self, path: str) -> list[str]:
        """The names of all sources in a file."""
        sql = "SELECT DISTINCT name FROM source WHERE name = ?1 OR (name >= ?1 || '#' AND name < ?1 || '$')"
        return [name for (name,) in self._rows(sql, path)]

    def sources_of_entry(self, entry: int) -> list[tuple[str, int]]:
        """What gives an entry now, and the operation that brought it."""
        sql = "SELECT name, operation FROM source WHERE entry = ? ORDER BY id"
        return [(name, op) for name, op in self._rows(sql, entry) if self.source_entry(name) == entry]

    def add_verdicts(self, operation: int, pairs: Iterable[tuple[int, int]], same: bool) -> None:
        rows = [(operation, one, other, same) for one, other in pairs]
        self._database.executemany("INSERT INTO verdict VALUES (?, ?, ?, ?)", rows)

    def verdicts_about(self, entries: Collection[int]) -> list[tuple[int, int, Verdict]]:
        """What inputs and people said of these entries, in the order in which they said it."""
        sql = (
            "WITH named AS (SELECT value FROM json_each(?))"
            " SELECT one, other, CASE WHEN NOT same THEN 'apart' WHEN o.kind = 'merge' THEN 'merged' ELSE 'same' END"
            " FROM verdict JOIN operation o ON o.id = operation AND o.active"
            " WHERE one IN named OR other IN named ORDER BY o.id"
        )
        return self._rows(sql, json.dumps(list(entries)))

    def of_same_sources(self, entries: Collection[int]) -> set[int]:
        """All that the sources of these entries have ever given."""
        sql = (
            "SELECT DISTINCT other.entry FROM source one JOIN source other USING (name)"
            " WHERE one.entry IN (SELECT value FROM json_each(?)) AND other.entry IS NOT NULL"
        )
        return {entry for (entry,) in self._rows(sql, json.dumps(list(entries)))}

    def successors(self, entries: Collection[int]) -> dict[int, set[int]]:
        """What the sources of entries give now: what was said of an entry holds for those that took its place."""
        sql = (
            "SELECT DISTINCT before.entry, now.entry FROM source before JOIN source now USING (name)"
            " JOIN operation o ON o.id = now.operation AND o.active"
            " WHERE before.entry IN (SELECT value FROM json_each(?)) AND now.entry IS NOT NULL AND NOT EXISTS ("
            "  SELECT 1 FROM source later JOIN operation p ON p.id = later.operation AND p.active"
            "  WHERE later.name = now.name AND later.id > now.id)"
        )
        found: dict[int, set[int]] = {}
        for before, now in self._rows(sql, json.dumps(list(entries))):
            found.setdefault(before, set()).add(now)
        return found

    def told_apart(self) -> set[frozenset[str]]:
        """The papers that a person said are two."""
        sql = (
            "SELECT DISTINCT a.paper_id, b.paper_id FROM verdict JOIN operation o ON o.id = operation AND o.active"
            " JOIN entry a ON a.id = one JOIN entry b ON b.id = other WHERE NOT same"
        )
        return {frozenset(pair) for pair in self._rows(sql)}

    def add_corrections(self, operation: int, paper_id: str, corrections: Corrections) -> None:
        rows = [(operation, paper_id, name, json.dumps(value)) for name, value in corrections.items()]
        self._database.executemany("INSERT INTO correction VALUES (?, ?, ?, ?)", rows)

    def corrections_of(self, paper_ids: Collection[str]) -> dict[Field, Value]:
        """The last one of each field."""
        sql = (
            "SELECT field, value FROM correction JOIN operation o ON o.id = operation AND o.active"
            " WHERE paper_id IN (SELECT value FROM json_each(?)) ORDER BY o.id"
        )
        found: dict[Field, Value] = {}
        for name, text in self._rows(sql, json.dumps(list(paper_ids))):
            value = json.loads(text)
            found[name] = tuple(value) if isinstance(value, list) else value
        return found

    def corrected_by(self, paper_ids: Collection[str]) -> dict[Field, int]:
        """The operation that has the last word about each corrected field."""
        sql = (
            "SELECT field, max(o.id) FROM correction JOIN operation o ON o.id = operation AND o.active"
            " WHERE paper_id IN (SELECT value FROM json_each(?)) GROUP BY field"
        )
        return dict(self._rows(sql, json.dumps(list(paper_ids))))

    def add_removal(self, operation: int, paper_id: str) -> None:
        self._database.execute("INSERT INTO removal VALUES (?, ?)", [operation, paper_id])

    def removal_of(self, paper_ids: Collection[str]) -> int | None:
        """The operation that removed a paper, if one did."""
        sql = (
            "SELECT max(operation) FROM removal JOIN operation o ON o.id = operation AND o.active"
            " WHERE paper_id IN (SELECT value FROM json_each(?))"
        )
        (found,) = self._database.execute(sql, [json.dumps(list(paper_ids))]).fetchone()
        return found if found is None else int(found)

    def attach(self, operation: int, paper_id: str, files: EntryFiles) -> None:
        row = [operation, paper_id, msgspec.json.encode(files).decode()]
        self._database.execute("INSERT INTO attachment VALUES (?, ?, ?)", row)

    def attachments_of(self, paper_ids: Collection[str]) -> list[EntryFiles]:
        """Texts that were found for a paper by its name, the last first."""
        sql = (
            "SELECT files FROM attachment JOIN operation o ON o.id = operation AND o.active"
            " WHERE paper_id IN (SELECT value FROM json_each(?)) ORDER BY o.id DESC"
        )
        rows = self._rows(sql, json.dumps(list(paper_ids)))
        return [msgspec.json.decode(files, type=EntryFiles) for (files,) in rows]

    def add_references(self, entry: int, references: Iterable[tuple[str, str]]) -> None:
        """Those in the text of an entry, each with the title that it names."""
        rows = [(entry, title, body) for title, body in references]
        self._database.executemany("INSERT INTO reference VALUES (?, ?, ?)", rows)

    def has_references(self, entry: int) -> bool:
        return bool(self._rows("SELECT 1 FROM reference WHERE entry = ? LIMIT 1", entry))

    def cited_by(self, entries: Collection[int]) -> set[int]:
        """The files whose titles the texts of these entries name among their references."""
        sql = (
            "SELECT DISTINCT k.entry FROM reference r JOIN entry_key k ON k.key = 'title:' || r.title"
            " WHERE r.entry IN (SELECT value FROM json_each(?))"
        )
        return {entry for (entry,) in self._rows(sql, json.dumps(list(entries)))}

    def references_to(self, title: str) -> list[tuple[int, str]]:
        """What texts say that name this title among their references, with the entries that they are of."""
        found = self._rows("SELECT entry, body FROM reference WHERE title = ? ORDER BY body, entry", title)
        live = self.live({entry for entry, _ in found})
        return [(entry, body) for entry, body in found if entry in live]

    # Entries and papers.

    def with_keys(self, keys: Iterable[str]) -> set[int]:
        sql = "SELECT DISTINCT entry FROM entry_key WHERE key IN (SELECT value FROM json_each(?))"
        return {entry for (entry,) in self._rows(sql, json.dumps(list(keys)))}

    def live(self, entries: Collection[int]) -> set[int]:
        """Those that a source gives at present."""
        return {entry for (entry,) in self._rows(_LIVE, json.dumps(list(entries)))}

    def read(self, entries: Collection[int]) -> list[StoredEntry]:
        columns = "id, body, facts, files, paper_id"
        sql = f"SELECT {columns} FROM entry WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"  # noqa: S608 - ours
        return [
            StoredEntry(
                number,
                body,
                msgspec.msgpack.decode(facts, type=Facts),
                msgspec.json.decode(files, type=EntryFiles),
                paper_id,
            )
            for number, body, facts, files, paper_id in self._rows(sql, json.dumps(list(entries)))
        ]

    def entries_of(self, paper_ids: Collection[str]) -> set[int]:
        sql = "SELECT id FROM entry WHERE paper_id IN (SELECT value FROM json_each(?))"
        return {entry for (entry,) in self._rows(sql, json.dumps(list(paper_ids)))}

    def assign(self, entries: Collection[int], paper_id: str) -> None:
        sql = "UPDATE entry SET paper_id = ? WHERE id IN (SELECT value FROM json_each(?))"
        self._database.execute(sql, [paper_id, json.dumps(list(entries))])

    def found(self, paper_id: str, founder: int, keys: Sequence[Key] = ()) -> None:
        """A paper's id belongs to whatever work this entry is about; `keys` led to it before it was adopted."""
        sql = (
            "INSERT INTO paper (paper_id, founder, keys) VALUES (?, ?, ?)"
            " ON CONFLICT (paper_id) DO UPDATE SET founder = excluded.founder"
        )
        self._database.execute(sql, [paper_id, founder, msgspec.json.encode(keys).decode()])

    def adopted_keys(self, paper_ids: Collection[str]) -> list[Key]:
        sql = "SELECT keys FROM paper WHERE paper_id IN (SELECT value FROM json_each(?)) ORDER BY number"
        rows = self._rows(sql, json.dumps(list(paper_ids)))
        return [key for (keys,) in rows for key in msgspec.json.decode(keys, type=list[Key])]

    def founded_by(self, entries: Collection[int]) -> list[tuple[str, int]]:
        """The ids of papers that these entries founded, the oldest first, with their founders."""
        sql = "SELECT paper_id, founder FROM paper WHERE founder IN (SELECT value FROM json_each(?)) ORDER BY number"
        return [(paper_id, founder) for paper_id, founder in self._rows(sql, json.dumps(list(entries)))]

    def founder_of(self, paper_id: str) -> int | None:
        row = self._database.execute("SELECT founder FROM paper WHERE paper_id = ?", [paper_id]).fetchone()
        return row[0] if row else None

    def unpublished(self) -> set[str]:
        """Papers that the snapshot may not have as they are: the process that changed them was ended."""
        return {paper_id for (paper_id,) in self._rows("SELECT paper_id FROM unpublished")}

    def set_unpublished(self, paper_ids: Iterable[str]) -> None:
        self._database.execute("DELETE FROM unpublished")
        self._database.executemany("INSERT INTO unpublished VALUES (?)", [(paper_id,) for paper_id in paper_ids])
