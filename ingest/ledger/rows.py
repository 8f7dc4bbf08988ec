"""What a ledger holds: its tables, and their rows as values."""

from collections.abc import Mapping, Set
from typing import Literal

from msgspec import Struct

from ingest.entries.entry import PaperEntry, Trust
from ingest.matching.corrections import Corrections
from ingest.matching.facts import Facts
from ingest.reading.looked_up import LOOKED_UP

SCHEMA_VERSION = 3
OperationKind = Literal["add", "remove", "edit", "merge", "split", "apart", "attach"]
# What is said of two entries: one work by their input, one because a person merged them, not one.
Verdict = Literal["same", "merged", "apart"]
# An operation that brought nothing new is kept for its sources, but there is nothing to take back.
SCHEMA = """
CREATE TABLE operation (id INTEGER PRIMARY KEY, at TEXT, by TEXT, kind TEXT, said TEXT, active INTEGER, changes TEXT);
CREATE TABLE entry (id INTEGER PRIMARY KEY, digest TEXT, collection TEXT, body TEXT, facts BLOB, files TEXT,
  paper_id TEXT, UNIQUE (digest, collection, files));
CREATE INDEX entry_paper ON entry (paper_id);
CREATE TABLE entry_key (key TEXT, entry INTEGER);
CREATE INDEX entry_key_key ON entry_key (key);
CREATE TABLE source (id INTEGER PRIMARY KEY, operation INTEGER, name TEXT, entry INTEGER);
CREATE INDEX source_name ON source (name);
CREATE INDEX source_entry ON source (entry);
CREATE INDEX source_operation ON source (operation);
CREATE TABLE attachment (operation INTEGER, paper_id TEXT, files TEXT);
CREATE TABLE verdict (operation INTEGER, one INTEGER, other INTEGER, same INTEGER);
CREATE INDEX verdict_one ON verdict (one);
CREATE INDEX verdict_other ON verdict (other);
CREATE TABLE correction (operation INTEGER, paper_id TEXT, field TEXT, value TEXT);
CREATE INDEX correction_paper ON correction (paper_id);
CREATE TABLE removal (operation INTEGER, paper_id TEXT);
CREATE TABLE paper (number INTEGER PRIMARY KEY, paper_id TEXT UNIQUE, founder INTEGER, keys TEXT);
CREATE TABLE unpublished (paper_id TEXT PRIMARY KEY);
"""
# Which of those that were taken back was so last; since version 3.
TAKEN_BACK = "ALTER TABLE operation ADD COLUMN taken_back INTEGER NOT NULL DEFAULT 0;"
# References in the texts of entries, by the titles that they name; since version 2.
REFERENCES = """
CREATE TABLE IF NOT EXISTS reference (entry INTEGER, title TEXT, body TEXT);
CREATE INDEX IF NOT EXISTS reference_entry ON reference (entry);
CREATE INDEX IF NOT EXISTS reference_title ON reference (title);
"""


class EntryFiles(Struct, frozen=True):
    """The assets that came with an entry: a PDF and the text of it, or what a library had."""

    pdf: str = ""
    source: str = ""
    is_markdown: bool = False
    translations: dict[str, str] = {}
    images: dict[str, str | None] = {}


class StoredEntry(Struct, frozen=True):
    id: int
    body: str
    facts: Facts
    files: EntryFiles
    paper_id: str

    @property
    def entry(self) -> PaperEntry:
        found = PaperEntry.model_validate_json(self.body)
        # Ledgers of earlier versions hold what was looked up as a bibliography's.
        is_looked_up = self.facts.collection.startswith(f"{LOOKED_UP} ") and found.trust == Trust.BIBLIOGRAPHY
        return found.model_copy(update={"trust": Trust.LOOKED_UP}) if is_looked_up else found


class Operation(Struct, frozen=True):
    """Something that was done to a library: when, by whom, in words, and whether it counts."""

    id: int
    at: str
    by: str
    kind: OperationKind
    said: str
    active: bool
    changes: list[tuple[str, str, str]]
    # The last that was taken back or made again has the largest number; 0 if neither ever was.
    taken_back: int = 0

    def about(self, besides: str = "") -> str:
        """What was said, with papers by their titles; the one that `besides` is the id of is not named."""
        text = self.said.replace(besides, "") if besides else self.said
        for _, paper_id, title in self.changes:
            text = text.replace(paper_id, f"“{title}”") if title else text
        return text.strip()

    def describe(self) -> str:
        """One line for the person at the terminal."""
        counts: dict[str, int] = {}
        for kind, *_ in self.changes:
            counts[kind] = counts.get(kind, 0) + 1
        kinds = ", ".join(f"{kind}: {count:,}" for kind, count in sorted(counts.items()))
        taken_back = "" if self.active else " (taken back)"
        by = f" by {self.by}" if self.by else ""
        return f"{self.id} {self.at}{by}: {self.kind} {self.said}; papers {kinds or 'unchanged'}{taken_back}"


class Decisions(Struct, frozen=True):
    """What a person decided about things that are read, by their sources: an import has these as its own.

    `apart` are no part of the paper that the rules find for them, `same` are the papers that they belong to.
    """

    left_out: Set[str] = frozenset()
    corrections: Mapping[str, Corrections] = {}
    apart: Set[str] = frozenset()
    same: Mapping[str, str] = {}
