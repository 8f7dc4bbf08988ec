"""Reads environment variables: each function takes a variable's name, and rejects a value that makes no sense."""

import os
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

ON = ("1", "true", "yes", "on")
OFF = ("0", "false", "no", "off")


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    value = text(name).lower()
    if value not in ("", *ON, *OFF):
        raise ImproperlyConfigured(f"{name} must be on or off, not {value!r}.")
    return value in ON if value else default


def number(name: str, default: int) -> int:
    value = text(name, str(default))
    if not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value)


def words(name: str, default: str = "") -> list[str]:
    return [word for part in text(name, default).split(",") if (word := part.strip())]


def choice(name: str, choices: tuple[str, ...]) -> str:
    """One of the choices; the first is the default."""
    value = text(name, choices[0])
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def path(name: str, default: Path) -> Path:
    value = text(name)
    if "\0" in value or "://" in value:
        raise ImproperlyConfigured(f"{name} must be a path, not {value!r}.")
    return Path(value).expanduser().absolute() if value else default


def folder_or_url(name: str, default: Path) -> str:
    """A folder's absolute path, or an http(s) base URL without a trailing slash."""
    value = text(name)
    if "://" not in value:
        return str(path(name, default))
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ImproperlyConfigured(f"{name} must be a folder or a plain http(s) URL, not {value!r}.")
    return value.rstrip("/")


def origins(name: str) -> list[str]:
    """Exact origins; `http://host:*` means any port of that host, `null` opaque origins."""
    values = words(name)
    for value in values:
        parts = urlsplit(value.removesuffix(":*"))
        plain = (
            parts.scheme in ("http", "https") and parts.hostname and not (parts.path or parts.query or parts.username)
        )
        if value != "null" and not plain:
            raise ImproperlyConfigured(
                f"{name}: {value!r} is not an origin such as https://example.org or http://localhost:*."
            )
    return values


def database(name: str, default: Path) -> dict[str, object]:
    """Django's database settings from `sqlite:///path` or `postgresql://user:password@host:port/name`."""
    value = text(name, f"sqlite:///{default}")
    parts = urlsplit(value)
    if parts.scheme == "sqlite" and not parts.netloc and len(parts.path) > 1:
        return _sqlite(parts.path[1:])
    if parts.scheme in ("postgresql", "postgres") and len(parts.path) > 1:
        return _postgresql(value)
    raise ImproperlyConfigured(f"{name} must be sqlite:///path/of/file or postgresql://user:password@host:port/name.")


def _sqlite(path: str) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def _postgresql(url: str) -> dict[str, object]:
    parts = urlsplit(url)
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
