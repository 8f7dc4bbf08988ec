"""Reads the address of the default database: SQLite's file, or a PostgreSQL server."""

from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from papersite.configuration.environment import recorded, require_package, text


@recorded
def database(name: str, default: Path) -> dict[str, object]:
    """Django's database settings from `sqlite:///path` or `postgresql://user:password@host:port/name`."""
    value = text(name)
    if not value:
        return _sqlite(str(default))
    try:
        parts = urlsplit(value)
        _ = parts.port  # read here, because reading a bad one raises
        if parts.scheme == "sqlite" and not parts.netloc and len(parts.path) > 1:
            return _sqlite(parts.path[1:])
        if parts.scheme in ("postgresql", "postgres") and len(parts.path) > 1:
            require_package("psycopg", "postgresql", name)
            return _postgresql(parts)
    except ValueError:
        pass  # without the value: it may hold a password
    raise ImproperlyConfigured(f"{name} must be sqlite:///path/of/file or postgresql://user:password@host:port/name.")


def _sqlite(path: str) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            # FULL: a decision that was acknowledged survives a power failure, too.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }


def _postgresql(parts: SplitResult) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        # Closed after each request: kept open they would add up to one per thread, more than most servers allow.
        "CONN_MAX_AGE": 0,
        "OPTIONS": {"connect_timeout": "3", **dict(parse_qsl(parts.query))},
    }
