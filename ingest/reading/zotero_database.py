"""Zotero's database, read as it is: rows in, plain values out."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from ingest.entries.entry import BuildError

DATABASE, STORAGE = "zotero.sqlite", "storage"
# How Zotero begins the path of a linked file that is below its base directory for linked attachments.
_BELOW_BASE = "attachments:"
_COPY_ATTEMPTS = 5
# Tags, notes, creators and so on of one item, and bytes of one value.
_ROWS_OF_ITEM = 10_000
_VALUE_BYTES = 50_000_000
_ITEMS = """
    SELECT itemID, items.key, typeName, libraryID, COALESCE(groups.name, '')
    FROM items JOIN itemTypes USING (itemTypeID) JOIN libraries USING (libraryID) LEFT JOIN groups USING (libraryID)
    WHERE typeName NOT IN ('attachment', 'note', 'annotation') AND libraries.type IN ('user', 'group')
    AND itemID NOT IN (SELECT itemID FROM deletedItems) ORDER BY itemID
"""
_FIELDS = """
    SELECT fieldName, value FROM itemData JOIN fields USING (fieldID) JOIN itemDataValues USING (valueID)
    WHERE itemID = ?
"""
_CREATORS = """
    SELECT creatorType, firstName, lastName FROM itemCreators JOIN creators USING (creatorID)
    JOIN creatorTypes USING (creatorTypeID) WHERE itemID = ? ORDER BY orderIndex
"""
# Type 1 are tags that came with the record; type 0 a person gave.
_TAGS = "SELECT name, type FROM itemTags JOIN tags USING (tagID) WHERE itemID = ? ORDER BY name"
_COLLECTIONS = """
    SELECT collectionName FROM collectionItems JOIN collections USING (collectionID) WHERE itemID = ?
    ORDER BY collectionName
"""
_ATTACHMENTS = """
    SELECT itemID, items.key, COALESCE(path, '') FROM itemAttachments JOIN items USING (itemID)
    WHERE parentItemID = ? AND contentType = 'application/pdf' AND itemID NOT IN (SELECT itemID FROM deletedItems)
    ORDER BY itemID
"""
# PDFs without an item of their own.
_LOOSE = """
    SELECT itemID, items.key, COALESCE(path, '')
    FROM itemAttachments JOIN items USING (itemID) JOIN libraries USING (libraryID)
    WHERE parentItemID IS NULL AND contentType = 'application/pdf' AND libraries.type IN ('user', 'group')
    AND itemID NOT IN (SELECT itemID FROM deletedItems) ORDER BY itemID
"""
_NOTES = """
    SELECT note FROM itemNotes WHERE parentItemID = ? AND itemID NOT IN (SELECT itemID FROM deletedItems)
    ORDER BY itemID
"""
_ANNOTATIONS = """
    SELECT COALESCE(text, ''), COALESCE(comment, ''), COALESCE(color, ''), COALESCE(pageLabel, '')
    FROM itemAnnotations WHERE parentItemID = ? AND itemID NOT IN (SELECT itemID FROM deletedItems) ORDER BY sortIndex
"""


class ZoteroItem(Struct, frozen=True):
    """A work in a library; `group` is the name of the group library that it is in."""

    number: int
    key: str
    kind: str
    group: str
    fields: dict[str, str]
    creators: list[tuple[str, str, str]]
    tags: list[str]
    keywords: list[str]
    collections: list[str]


class Attachment(Struct, frozen=True):
    number: int
    key: str
    path: str

    @property
    def is_linked(self) -> bool:
        return not self.path.startswith("storage:")

    def file_in(self, folder: Path, linked: Sequence[Path]) -> Path | None:
        """The file if it is there: stored by Zotero in its data folder, or linked with its path in a named folder."""
        if "\0" in self.path or "\0" in self.key:
            return None
        if self.path.startswith(_BELOW_BASE):
            paths = [root.absolute() / self.path.removeprefix(_BELOW_BASE) for root in linked]
        elif self.is_linked:
            paths = [Path(self.path)]
        else:
            paths, linked = [folder / STORAGE / self.key / self.path.removeprefix("storage:")], [folder / STORAGE]
        roots = [root.resolve() for root in linked]
        for path in paths:
            is_inside = path.is_absolute() and any(path.resolve().is_relative_to(root) for root in roots)
            if is_inside and path.suffix.lower() == ".pdf" and path.is_file():
                return path
        return None


class Annotation(Struct, frozen=True):
    text: str
    comment: str
    colour: str
    page: str


class ZoteroDatabase:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def items(self) -> Iterator[ZoteroItem]:
        for number, key, kind, _, group in self._connection.execute(_ITEMS):
            tags = self._rows(_TAGS, number)
            yield ZoteroItem(
                number=number,
                key=_text(key),
                kind=_text(kind),
                group=_text(group),
                fields={_text(name): _text(value) for name, value in self._rows(_FIELDS, number)},
                creators=[
                    (_text(role), _text(first), _text(last)) for role, first, last in self._rows(_CREATORS, number)
                ],
                tags=[_text(name) for name, automatic in tags if not automatic],
                keywords=[_text(name) for name, automatic in tags if automatic],
                collections=[_text(name) for (name,) in self._rows(_COLLECTIONS, number)],
            )

    def pdfs(self, item: ZoteroItem) -> list[Attachment]:
        rows = self._rows(_ATTACHMENTS, item.number)
        return [Attachment(number, _text(key), _text(path)) for number, key, path in rows]

    def loose_pdfs(self) -> Iterator[Attachment]:
        """Those that no item has."""
        for number, key, path in self._connection.execute(_LOOSE):
            yield Attachment(number, _text(key), _text(path))

    def notes(self, item: ZoteroItem) -> list[str]:
        return [note for (value,) in self._rows(_NOTES, item.number) if (note := _text(value))]

    def annotations(self, attachment: Attachment) -> list[Annotation]:
        return [Annotation(*map(_text, row)) for row in self._rows(_ANNOTATIONS, attachment.number)]

    def _rows(self, query: str, number: int) -> list[Any]:  # rows of any columns
        return self._connection.execute(query, (number,)).fetchmany(_ROWS_OF_ITEM)


def _text(value: object) -> str:
    """A column's text. SQLite keeps any type in any column: bytes where text belongs are no text."""
    return str(value) if isinstance(value, str | int | float) else ""


def is_zotero(path: Path) -> bool:
    return (path / DATABASE).is_file()


def copy_database(folder: Path, target: Path) -> None:
    """Copy the database of a data folder with its journal, as it is at one moment. BuildError if it keeps changing.

    Zotero locks its database while it runs; with the journal, SQLite finds back to the last finished change.
    """
    names = [DATABASE, f"{DATABASE}-journal", f"{DATABASE}-wal"]
    if not (folder / DATABASE).is_file():
        raise BuildError(
            f"{folder} has no {DATABASE}: name Zotero's data folder (Settings > Advanced > Files and Folders)."
        )
    for _ in range(_COPY_ATTEMPTS):
        before = _stamps(folder, names)
        for name in names:
            (target / name).unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                shutil.copyfile(folder / name, target / name)
        if _stamps(folder, names) == before:
            return
    raise BuildError(f"{folder}: Zotero keeps writing into its database. Close Zotero, and try again.")


def _stamps(folder: Path, names: Sequence[str]) -> list[tuple[int, int] | None]:
    found = [(folder / name).stat() if (folder / name).is_file() else None for name in names]
    return [(stat.st_mtime_ns, stat.st_size) if stat else None for stat in found]


@contextmanager
def open_copy(folder: Path) -> Iterator[ZoteroDatabase]:
    """A copied database. Nobody vouches for it: what could run code of its own is refused."""
    connection = sqlite3.connect(f"file:{quote(str(folder.absolute()))}/{DATABASE}?mode=rw", uri=True)
    try:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE_BYTES)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        refused = "SELECT name FROM sqlite_master WHERE type = 'view' OR sql LIKE 'CREATE VIRTUAL%'"
        if connection.execute(refused).fetchone():
            raise BuildError("it has views or virtual tables, which Zotero does not make")
        yield ZoteroDatabase(connection)
    except sqlite3.Error as error:
        raise BuildError(f"{DATABASE} cannot be read as a Zotero database ({error})") from None
    except UnicodeDecodeError:  # SQLite's own message quotes the damage
        raise BuildError(f"{DATABASE} is damaged") from None
    finally:
        connection.close()
