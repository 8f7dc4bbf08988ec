"""The default database: whether it takes writes, and that the files of SQLite are readable by their owner alone."""

import os
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

from django.db import DatabaseError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver

from papercore.health import CachedProbe, Part

# Probes come often and from several sides, so each process checks at most this often.
REST_SECONDS = 2.0
# How long a check waits for another writer before it calls the database locked.
LOCK_MILLISECONDS = 200
# More than one step of a search writes.
STEP_BYTES = 256 * 1024
# With less than this, there is no room for the next sessions.
FREE_BYTES = 50_000_000
# These are written although they change nothing. (SQLite skips an UPDATE that changes nothing.)
SQLITE_WRITE = "PRAGMA user_version = 0"  # nothing uses it
POSTGRESQL_WRITE = "UPDATE django_migrations SET name = name WHERE id = (SELECT min(id) FROM django_migrations)"

# A database in SQLite, its log of changes, and the memory that processes share over it.
FILE_SUFFIXES = ("", "-wal", "-shm")
OTHERS = 0o077


def check() -> Part:
    """Tested by writing: nothing else shows a full disk, a quota or a lock."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM django_migrations")
        if connection.in_atomic_block:  # this thread is writing already
            return Part("database", "ok")
        return check_sqlite() if connection.vendor == "sqlite" else check_postgresql()
    except DatabaseError:
        hint = "The default database cannot be read: check PAPERSITE_DATABASE_URL, that the folder of an SQLite file "
        hint += "can be written, and that 'papersite migrate' has run. Papers can be read; sessions and logins fail."
        return Part("database", "missing", hint)
    finally:
        if not connection.in_atomic_block:
            connection.close()


part = CachedProbe(check, REST_SECONDS).part


def check_sqlite() -> Part:
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {LOCK_MILLISECONDS}")
            cursor.execute(SQLITE_WRITE)
    except DatabaseError as error:
        locked = "locked" in str(error)
        return _degraded("Another process holds the write lock." if locked else "The file cannot be written.")
    file = Path(str(connection.settings_dict["NAME"]))
    return check_disk(file.parent) if file.exists() else Part("database", "ok")


def check_disk(folder: Path) -> Part:
    """One page of SQLite may fit where the next step of a search does not."""
    try:
        with TemporaryFile(dir=folder, prefix="probe-") as file:
            file.write(os.urandom(STEP_BYTES))  # zeros take no room on some filesystems
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        return _degraded("Its disk is full, or its folder cannot be written.")
    if shutil.disk_usage(folder).free < FREE_BYTES:
        return _degraded("Its disk is nearly full.", "Sessions and logins will fail when it is full.")
    return Part("database", "ok")


def check_postgresql() -> Part:
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        row = cursor.fetchone()
    if row and row[0] == "on":
        return _degraded("The server takes no writes. Is it a standby?")
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(POSTGRESQL_WRITE)
            # More rows than fit into so little memory: the server writes a temporary file, and no table grows.
            cursor.execute("SET LOCAL work_mem = '64kB'")
            cursor.execute("SELECT count(*) FROM generate_series(1, 30000)")
    except DatabaseError:
        return _degraded("The server cannot write. Is its disk full?")
    return Part("database", "ok")


def _degraded(reason: str, effect: str = "Papers can be read; sessions and logins fail.") -> Part:
    return Part("database", "degraded", f"{reason} {effect}")


@receiver(connection_created)
def keep_private(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Tokens, password hashes and sessions are for the owner alone. Done before anything is written to a new file."""
    if connection.vendor != "sqlite" or connection.alias != "default":
        return
    for suffix in FILE_SUFFIXES:
        file = Path(f"{connection.settings_dict['NAME']}{suffix}")
        # A database in memory has no file; another owner's file is theirs to protect.
        with suppress(OSError):
            mode = file.stat().st_mode
            if mode & OTHERS:
                file.chmod(mode & ~OTHERS)
