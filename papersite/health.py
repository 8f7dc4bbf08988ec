"""Whether the site is alive, and how each of its parts is."""

import shutil
from pathlib import Path

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import papers.health
import specs.health
from paper_search.health import Part, State

# How long a probe waits for another writer before it calls the database locked.
LOCK_MILLISECONDS = 200
# With less than this, the next sessions will not fit.
FREE_BYTES = 50_000_000


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answers as soon as the site serves; asks nothing of the snapshot or the database."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """503 only without a snapshot: whatever else fails, reading goes on."""
    found = parts()
    status = overall(found)
    body = {"status": status, "parts": {part.name: described(part) for part in found}}
    return JsonResponse(body, status=503 if status == "missing" else 200)


def parts() -> list[Part]:
    return [*papers.health.parts(), *specs.health.parts(), database_part()]


def overall(found: list[Part]) -> State:
    """Nothing can be served without a snapshot; without any other part, much can."""
    if any(part.name == "snapshot" and part.state == "missing" for part in found):
        return "missing"
    return "ok" if all(part.state == "ok" for part in found) else "degraded"


def described(part: Part) -> dict[str, str]:
    return {"state": part.state, "hint": part.hint} if part.hint else {"state": part.state}


def database_part() -> Part:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM django_migrations")
    except DatabaseError:
        connection.close()
        hint = "The default database cannot be read: check PAPERSITE_DATABASE_URL, and run 'manage.py migrate'."
        return Part("database", "missing", hint)
    return sqlite_part() if connection.vendor == "sqlite" else postgresql_part()


def sqlite_part() -> Part:
    """Take the write lock for a moment: what a locked or read-only file, or a full disk, does not give."""
    if connection.in_atomic_block:
        return Part("database", "ok")
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {LOCK_MILLISECONDS}")
            cursor.execute("BEGIN IMMEDIATE")
            cursor.execute("DELETE FROM django_migrations WHERE 0")  # BEGIN alone succeeds on a read-only file
            cursor.execute("ROLLBACK")
    except DatabaseError as error:
        locked = "locked" in str(error)
        return degraded("Another process holds the write lock." if locked else "The file cannot be written.")
    finally:
        connection.close()
    file = Path(str(connection.settings_dict["NAME"]))
    if file.exists() and shutil.disk_usage(file).free < FREE_BYTES:
        return degraded("Its disk is nearly full.")
    return Part("database", "ok")


def degraded(reason: str) -> Part:
    return Part("database", "degraded", f"{reason} Reading goes on; sessions and logins do not.")


def postgresql_part() -> Part:
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        row = cursor.fetchone()
    if row and row[0] == "on":
        return degraded("The server takes no writes; is it a standby?")
    return Part("database", "ok")
