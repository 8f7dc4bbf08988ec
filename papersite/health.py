"""Whether the site is alive, and how each of its parts is."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import papers.health
import specs.health
from paper_search.health import Part, State

# How long a probe waits for another writer before it calls the database locked.
LOCK_MILLISECONDS = 200


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
            cursor.execute("ROLLBACK")
    except DatabaseError as error:
        locked = "locked" in str(error)
        hint = "Another process holds the write lock." if locked else "It cannot be written: disk full, or read-only?"
        return Part("database", "degraded", f"{hint} Reading goes on; sessions and logins do not.")
    finally:
        connection.close()
    return Part("database", "ok")


def postgresql_part() -> Part:
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        row = cursor.fetchone()
    if row and row[0] == "on":
        return Part("database", "degraded", "The server takes no writes (a standby?): sessions and logins do not work.")
    return Part("database", "ok")
