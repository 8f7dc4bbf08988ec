"""Whether the default database takes writes. Asked by writing: nothing else tells a full disk, a quota, a lock."""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryFile

from django.db import DatabaseError, connection, transaction

from papercore.health import LastLook, Part

# Probes come often and from several sides; what a look costs is paid once in so long by each process.
REST_SECONDS = 2.0
# How long a look waits for another writer before it calls the database locked.
LOCK_MILLISECONDS = 200
# More than a step of a search writes.
STEP_BYTES = 256 * 1024
# With less than this, the next sessions will not fit.
FREE_BYTES = 50_000_000
# These change nothing, and are written all the same. (SQLite leaves out an UPDATE that changes nothing.)
SQLITE_WRITE = "PRAGMA user_version = 0"  # which nobody uses
POSTGRESQL_WRITE = "UPDATE django_migrations SET name = name WHERE id = (SELECT min(id) FROM django_migrations)"


def look() -> Part:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM django_migrations")
        if connection.in_atomic_block:  # somebody is writing: this very thread
            return Part("database", "ok")
        return _sqlite() if connection.vendor == "sqlite" else _postgresql()
    except DatabaseError:
        hint = "The default database cannot be read: check PAPERSITE_DATABASE_URL, and run 'manage.py migrate'."
        return Part("database", "missing", hint)
    finally:
        if not connection.in_atomic_block:
            connection.close()


part = LastLook(look, REST_SECONDS).part


def _sqlite() -> Part:
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {LOCK_MILLISECONDS}")
            cursor.execute(SQLITE_WRITE)
    except DatabaseError as error:
        locked = "locked" in str(error)
        return _degraded("Another process holds the write lock." if locked else "The file cannot be written.")
    file = Path(str(connection.settings_dict["NAME"]))
    return _disk(file.parent) if file.exists() else Part("database", "ok")


def _disk(folder: Path) -> Part:
    """A write of one page may find room where the next step of a search will not."""
    try:
        with TemporaryFile(dir=folder, prefix="probe-") as file:
            file.write(os.urandom(STEP_BYTES))  # some filesystems store zeros for nothing
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        return _degraded("Its disk is full, or its folder cannot be written.")
    if shutil.disk_usage(folder).free < FREE_BYTES:
        return _degraded("Its disk is nearly full.", "Sessions and logins will fail when it is.")
    return Part("database", "ok")


def _postgresql() -> Part:
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        row = cursor.fetchone()
    if row and row[0] == "on":
        return _degraded("The server takes no writes; is it a standby?")
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(POSTGRESQL_WRITE)
            # More rows than fit into so little memory go to a file of the server's: no table grows by it.
            cursor.execute("SET LOCAL work_mem = '64kB'")
            cursor.execute("SELECT count(*) FROM generate_series(1, 30000)")
    except DatabaseError:
        return _degraded("The server cannot write; is its disk full?")
    return Part("database", "ok")


def _degraded(reason: str, effect: str = "Reading goes on; sessions and logins do not.") -> Part:
    return Part("database", "degraded", f"{reason} {effect}")
