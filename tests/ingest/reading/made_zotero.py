"""A Zotero data folder made for the tests, with the tables that Zotero has."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

SCHEMA = """
    CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT);
    CREATE TABLE groups (groupID INTEGER PRIMARY KEY, libraryID INT, name TEXT);
    CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT UNIQUE);
    CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT, libraryID INT, key TEXT);
    CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT UNIQUE);
    CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value);
    CREATE TABLE itemData (itemID INT, fieldID INT, valueID INT);
    CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
    CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT UNIQUE);
    CREATE TABLE itemCreators (itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT);
    CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE itemTags (itemID INT, tagID INT, type INT);
    CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT, libraryID INT);
    CREATE TABLE collectionItems (collectionID INT, itemID INT);
    CREATE TABLE itemAttachments (itemID INT, parentItemID INT, linkMode INT, contentType TEXT, path TEXT);
    CREATE TABLE itemNotes (itemID INT, parentItemID INT, note TEXT);
    CREATE TABLE itemAnnotations (
        itemID INT, parentItemID INT, text TEXT, comment TEXT, color TEXT, pageLabel TEXT, sortIndex TEXT
    );
    CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY);
    INSERT INTO libraries VALUES (1, 'user'), (2, 'group'), (3, 'feed');
    INSERT INTO groups VALUES (7, 2, 'Coastal lab');
"""


@dataclass
class MadeZotero:
    """Adds rows as a person would add items."""

    folder: Path

    def __post_init__(self) -> None:
        (self.folder / "storage").mkdir(parents=True)
        self.database = sqlite3.connect(self.folder / "zotero.sqlite", isolation_level=None)
        self.database.executescript(SCHEMA)

    def item(self, kind: str, library: int = 1, **fields: str) -> int:
        number = self._add("INSERT INTO items SELECT NULL, ?, ?, ?", self._named("itemTypes", kind), library, "KEY")
        self.database.execute("UPDATE items SET key = ? WHERE itemID = ?", (f"KEY{number:05}", number))
        for name, value in fields.items():
            value_number = self._add("INSERT INTO itemDataValues VALUES (NULL, ?)", value)
            self._add("INSERT INTO itemData VALUES (?, ?, ?)", number, self._named("fields", name), value_number)
        return number

    def creator(self, item: int, role: str, given: str, family: str) -> None:
        order = self.database.execute("SELECT count(*) FROM itemCreators WHERE itemID = ?", (item,)).fetchone()[0]
        person = self._add("INSERT INTO creators VALUES (NULL, ?, ?, ?)", given, family, 0 if given else 1)
        self._add(
            "INSERT INTO itemCreators VALUES (?, ?, ?, ?)", item, person, self._named("creatorTypes", role), order
        )

    def tag(self, item: int, name: str, automatic: bool = False) -> None:
        tag = self._add("INSERT INTO tags VALUES (NULL, ?)", name)
        self._add("INSERT INTO itemTags VALUES (?, ?, ?)", item, tag, int(automatic))

    def collection(self, item: int, name: str) -> None:
        number = self._add("INSERT INTO collections VALUES (NULL, ?, 1)", name)
        self._add("INSERT INTO collectionItems VALUES (?, ?)", number, item)

    def attachment(self, item: int | None, path: str) -> tuple[int, Path]:
        """Its number, and the folder in which Zotero stores its file."""
        number = self.item("attachment")
        self._add("INSERT INTO itemAttachments VALUES (?, ?, 0, 'application/pdf', ?)", number, item, path)
        folder = self.folder / "storage" / f"KEY{number:05}"
        folder.mkdir()
        return number, folder

    def note(self, item: int, text: str) -> int:
        number = self.item("note")
        self._add("INSERT INTO itemNotes VALUES (?, ?, ?)", number, item, text)
        return number

    def annotation(self, attachment: int, text: str, comment: str, colour: str, page: str) -> None:
        number = self.item("annotation")
        values = (number, attachment, text, comment, colour, page, f"{number:05}")
        self._add("INSERT INTO itemAnnotations VALUES (?, ?, ?, ?, ?, ?, ?)", *values)

    def delete(self, item: int) -> None:
        self._add("INSERT INTO deletedItems VALUES (?)", item)

    def _named(self, table: str, name: str) -> int:
        self.database.execute(f"INSERT OR IGNORE INTO {table} VALUES (NULL, ?)", (name,))
        column = {"itemTypes": "typeName", "fields": "fieldName", "creatorTypes": "creatorType"}[table]
        query = f"SELECT rowid FROM {table} WHERE {column} = ?"
        return int(self.database.execute(query, (name,)).fetchone()[0])

    def _add(self, statement: str, *values: object) -> int:
        return self.database.execute(statement, values).lastrowid or 0
