"""Django's database `snapshot`: its backend, which opens a file that is only read and may be replaced, and its router.

The backend is in a module of this name because Django looks for it in `base` of the package that the settings name.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.db.backends.sqlite3 import base
from django.db.backends.sqlite3._functions import register as register_functions  # type: ignore[import-untyped]
from django.db.models import Model

from papercore.snapshot.file import BadSnapshot, Connection, SnapshotFacts
from papercore.snapshot.versions import GoodFile, SnapshotFile

ALIAS = "snapshot"


@cache
def file_at(path: Path) -> SnapshotFile:
    return SnapshotFile(path)


def served_file() -> SnapshotFile:
    """The file that the settings name; one object per process, so that all threads agree on it."""
    return file_at(settings.SNAPSHOT)


class DatabaseWrapper(base.DatabaseWrapper):
    """Opens the last good version of the file, and stays with it until told to look again."""

    connection: Connection | None
    transaction_mode = None
    _good: GoodFile | None = None

    def get_connection_params(self) -> dict[str, Any]:  # Any: Django's signature
        return {}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:  # Any: Django's signature
        try:
            self._good, connection = served_file().connect()
        except BadSnapshot as error:
            raise OperationalError(str(error)) from None
        register_functions(connection)
        return connection

    def create_cursor(self, name: str | None = None) -> base.SQLiteCursorWrapper:
        assert self.connection  # noqa: S101 (Django asks for a cursor only when connected)
        self.connection.restart_clock()
        return self.connection.cursor(factory=base.SQLiteCursorWrapper)

    # Any: values and rows of any shape
    def execute(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = (), /) -> list[Any]:
        """All rows of a query in SQLite's own words, for `papers.snapshot.queries`."""
        self.ensure_connection()
        assert self.connection  # noqa: S101 (ensure_connection sets it or raises)
        self.connection.restart_clock()
        with self.wrap_database_errors:
            return self.connection.execute(sql, parameters).fetchall()

    def file(self) -> GoodFile:
        self.ensure_connection()
        assert self._good  # noqa: S101 (ensure_connection sets it or raises)
        return self._good

    def facts(self) -> SnapshotFacts:
        return self.file().facts

    def drop_if_replaced(self) -> None:
        """Close a version that is no longer served. Not inside a transaction: a test's may span requests."""
        if self.connection and self._good is not served_file().good and not self.in_atomic_block:
            self.close()

    def _close(self) -> None:
        if self.connection and not (self._good and self.connection is self._good.anchor):
            super()._close()  # type: ignore[misc]  # the stubs leave it out


class SnapshotRouter:
    """The app `papers` is in the snapshot, where nothing is migrated; everything else is in the default database."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:  # Any: Django's signature
        return ALIAS if model._meta.app_label == "papers" else None

    def db_for_write(self, model: type[Model], **hints: Any) -> str | None:  # Any: Django's signature
        return self.db_for_read(model)

    def allow_relation(self, first: Model, second: Model, **hints: Any) -> bool | None:  # Any: Django's signature
        return (first._meta.app_label == "papers") == (second._meta.app_label == "papers")

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:  # Any: Django's signature
        return False if db == ALIAS or app_label == "papers" else None
