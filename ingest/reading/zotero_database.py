"""Zotero's database, read as it is: rows in, plain values out."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from ingest.entries.entry import BuildError

DATABASE, STORAGE = "zotero.sqlite", "storage"
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

    def file_in(self, folder: Path) -> Path | None:
        """The file if it is there: stored by Zotero in its data folder, or linked with its whole path."""
        kind, separator, name = self.path.partition(":")
        if separator and kind == "storage":
            path = folder / STORAGE / self.key / name
            inside = path.resolve().is_relative_to((folder / STORAGE).resolve())
            return path if inside and path.is_file() else None
        path = Path(self.path)
        return path if path.is_absolute() and path.suffix.lower() == ".pdf" and path.is_file() else None


class Annotation(Struct, frozen=True):
    text: str
    comment: str
    colour: str
    page: str


class ZoteroDatabase:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def items(self) -> Iterator[ZoteroItem]:
        for number, key, kind, _, group in self._connection.execute(_ITEMS).fetchall():
            tags = self._rows(_TAGS, number)
            yield ZoteroItem(
                number=number,
                key=key,
                kind=kind,
                group=group,
                fields={name: str(value) for name, value in self._rows(_FIELDS, number)},
                creators=[(role, given or "", family or "") for role, given, family in self._rows(_CREATORS, number)],
                tags=[name for name, automatic in tags if not automatic],
                keywords=[name for name, automatic in tags if automatic],
                collections=[name for (name,) in self._rows(_COLLECTIONS, number)],
            )

    def pdfs(self, item: ZoteroItem) -> list[Attachment]:
        return [Attachment(*row) for row in self._rows(_ATTACHMENTS, item.number)]

    def notes(self, item: ZoteroItem) -> list[str]:
        return [note for (note,) in self._rows(_NOTES, item.number) if note]

    def annotations(self, attachment: Attachment) -> list[Annotation]:
        return [Annotation(*row) for row in self._rows(_ANNOTATIONS, attachment.number)]

    def _rows(self, query: str, number: int) -> list[Any]:  # rows of any columns
        return self._connection.execute(query, (number,)).fetchall()


def is_zotero(path: Path) -> bool:
    return (path / DATABASE).is_file()


@contextmanager
def open_zotero(folder: Path) -> Iterator[ZoteroDatabase]:
    """The database of a data folder. Opened as a file that nobody changes, because Zotero locks it while it runs."""
    path = folder / DATABASE
    if not path.is_file():
        raise BuildError(
            f"{folder} has no {DATABASE}: name Zotero's data folder (Settings > Advanced > Files and Folders)."
        )
    connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1", uri=True)
    try:
        yield ZoteroDatabase(connection)
    except sqlite3.Error as error:
        raise BuildError(f"{path} cannot be read as a Zotero database ({error}).") from None
    finally:
        connection.close()
