"""Keeps the files of a default database in SQLite to their owner: they hold tokens, password hashes and sessions."""

from contextlib import suppress
from pathlib import Path

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver

# The database, its log of changes, and the memory that processes share over it.
SUFFIXES = ("", "-wal", "-shm")
OTHERS = 0o077


@receiver(connection_created)
def keep_private(connection: BaseDatabaseWrapper, **_: object) -> None:
    """When a connection is opened, so before anything is written to a new file."""
    if connection.vendor != "sqlite" or connection.alias != "default":
        return
    for suffix in SUFFIXES:
        file = Path(f"{connection.settings_dict['NAME']}{suffix}")
        # A database in memory has no file; another owner's file is theirs to protect.
        with suppress(OSError):
            mode = file.stat().st_mode
            if mode & OTHERS:
                file.chmod(mode & ~OTHERS)
