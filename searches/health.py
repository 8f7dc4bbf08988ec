"""How many search sessions are open, for the readiness probe, which also ends idle ones."""

from django.db import DatabaseError, connection
from msgspec.structs import asdict

from papercore import limits
from papercore.health import CachedProbe, Part
from searches.sessions import store

# Probes come often and from several sides, so each process counts at most this often.
REST_SECONDS = 2.0


def check() -> Part:
    try:
        store.expire_idle_sessions()
        counts = store.count_sessions()
    except DatabaseError:
        return Part("searches", "missing", "Search sessions cannot be read: see the part `database`.")
    finally:
        if not connection.in_atomic_block:
            connection.close()
    if counts.running >= limits.RUNNING_SEARCHES:
        hint = f"{limits.RUNNING_SEARCHES} searches are running: further ones are refused until one pauses."
        return Part("searches", "degraded", hint, asdict(counts))
    return Part("searches", "ok", counts=asdict(counts))


part = CachedProbe(check, REST_SECONDS).part
