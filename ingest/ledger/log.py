"""The log of a ledger: operations in their order, which of them count, and what each is about."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from ingest.entries.entry import BuildError
from ingest.ledger.rows import REFERENCES, SCHEMA, SCHEMA_VERSION, TAKEN_BACK, Operation, OperationKind

_BUSY_SECONDS = 60


class OperationLog:
    """One library's. All that is written between `begin` and `commit` counts together, or not at all."""

    def __init__(self, path: Path | None) -> None:
        self._database = sqlite3.connect(path or ":memory:", isolation_level=None, timeout=_BUSY_SECONDS)
        if path:
            self._database.execute("PRAGMA journal_mode=WAL")
        if self._version() > SCHEMA_VERSION:
            raise BuildError(f"{path} was written by a newer version of papersite: update papersite.")
        if self._version() < SCHEMA_VERSION:
            with self.transaction():
                self._upgrade()
                self.commit()

    def _version(self) -> int:
        return int(self._database.execute("PRAGMA user_version").fetchone()[0])

    def _upgrade(self) -> None:
        """Unless another process has done it meanwhile."""
        version = self._version()
        for step in (SCHEMA, REFERENCES, TAKEN_BACK)[version:]:
            for statement in step.split(";"):
                self._database.execute(statement)
        if version == 0:
            sql = "INSERT INTO operation (id, at, by, kind, said, active, changes) VALUES (0, ?, '', 'add', ?, 1, '[]')"
            self._database.execute(sql, [_now(), "adopted"])
        self._database.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is written inside counts together, once `commit` was called; else not at all."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")

    def commit(self) -> None:
        self._database.execute("COMMIT")

    def begin_operation(self, kind: OperationKind, by: str, said: str) -> int:
        row = (_now(), by, kind, said)
        sql = "INSERT INTO operation (at, by, kind, said, active, changes) VALUES (?, ?, ?, ?, 1, '[]')"
        return int(self._database.execute(sql, row).lastrowid or 0)

    def note_changes(self, operation: int, changes: Sequence[tuple[str, str, str]]) -> None:
        """Beside those that were noted: what it added and changed again, it added."""
        (noted,) = self._database.execute("SELECT changes FROM operation WHERE id = ?", [operation]).fetchone()
        found = {paper_id: (kind, title) for kind, paper_id, title in json.loads(noted)}
        for kind, paper_id, title in changes:
            is_new = found.get(paper_id, ("",))[0] == "added" and kind == "changed"
            found[paper_id] = ("added" if is_new else kind, title)
        text = json.dumps([(kind, paper_id, title) for paper_id, (kind, title) in found.items()])
        self._database.execute("UPDATE operation SET changes = ? WHERE id = ?", [text, operation])

    def operations(self, paper_id: str = "") -> list[Operation]:
        """Those that changed something, or this paper, the last first."""
        sql = "SELECT * FROM operation WHERE changes != '[]' AND instr(changes, ?) ORDER BY id DESC"
        rows = self._database.execute(sql, [json.dumps(paper_id) if paper_id else "["])
        return [_operation(row) for row in rows]

    def added_last(self, limit: int) -> dict[str, str]:
        """So many papers and when each was added, the last first. What was there before the ledger has no date."""
        found: dict[str, str] = {}
        sql = "SELECT at, changes FROM operation WHERE active AND changes != '[]' ORDER BY id DESC"
        for at, changes in self._database.execute(sql):
            for kind, paper_id, _ in reversed(json.loads(changes)):
                if kind == "added" and len(found) < limit:
                    found.setdefault(paper_id, at)
            if len(found) == limit:
                break
        return found

    def set_active(self, operation: int, active: bool) -> None:
        sql = "UPDATE operation SET active = ?, taken_back = 1 + (SELECT max(taken_back) FROM operation) WHERE id = ?"
        self._database.execute(sql, [active, operation])

    def touched_by(self, operation: int) -> tuple[set[int], set[str]]:
        """The entries and papers that an operation is about."""
        entries = {entry for (entry,) in self._rows("SELECT entry FROM source WHERE operation = ?", operation) if entry}
        # What it took the place of counts again when it is taken back.
        before = "SELECT entry FROM source WHERE name IN (SELECT name FROM source WHERE operation = ?)"
        entries |= {entry for (entry,) in self._rows(before, operation) if entry}
        for one, other in self._rows("SELECT one, other FROM verdict WHERE operation = ?", operation):
            entries |= {one, other}
        papers = set[str]()
        for table in ("correction", "removal", "attachment"):
            sql = f"SELECT paper_id FROM {table} WHERE operation = ?"  # noqa: S608 - our names
            papers |= {paper_id for (paper_id,) in self._rows(sql, operation)}
        return entries, papers

    def _rows(self, sql: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]  # rows of any columns
        return self._database.execute(sql, values).fetchall()


def _operation(row: tuple[int, str, str, OperationKind, str, int, str, int]) -> Operation:
    number, at, by, kind, said, active, changes, taken_back = row
    listed = [tuple(change) for change in json.loads(changes)]
    return Operation(number, at, by, kind, said, bool(active), listed, taken_back)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
