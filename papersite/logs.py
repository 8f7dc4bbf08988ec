"""The site's log: one line per event, JSON for programs, short text on a terminal. Imports no Django."""

import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime

import orjson

# The request that this thread is answering; every line logged meanwhile carries its id.
request_id: ContextVar[str] = ContextVar("request_id", default="")

OUR_PACKAGES = ("papersite", "mcpapi", "searches", "papers", "specs", "paper_search", "ingest", "papercore")
# The innermost calls say where an internal error happened; the outer ones are always the same.
CALLS_SHOWN = 12


class JsonFormatter(logging.Formatter):
    """One JSON object per line. An unexpected error is logged by type and place: its text may hold anything."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        if request_id.get():
            line["request_id"] = request_id.get()
        line |= fields_of(record)
        if record.exc_info and record.exc_info[1]:
            line |= error_fields(record.exc_info[1])
        return orjson.dumps(line, default=str).decode()


class TerminalFormatter(logging.Formatter):
    """Time, event and its fields; an unexpected error with its traceback."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the name is inherited)
        fields = " ".join(f"{name}={value}" for name, value in fields_of(record).items())
        text = f"{super().formatMessage(record)} {fields}".rstrip()
        return "".join(char if char.isprintable() else "?" for char in text)


def fields_of(record: logging.LogRecord) -> dict[str, object]:
    fields: dict[str, object] = getattr(record, "fields", {})
    return fields


def error_fields(error: BaseException) -> dict[str, object]:
    calls = [
        f"{frame.f_globals.get('__name__', '?')}.{frame.f_code.co_name}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    return {"error": type(error).__name__, "at": calls[-CALLS_SHOWN:]}


def configuration() -> dict[str, object]:
    """For logging.config.dictConfig; shared by the site's settings and gunicorn's."""
    formatter = TerminalFormatter if sys.stderr.isatty() else JsonFormatter
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            **{name: {"level": "INFO"} for name in OUR_PACKAGES},
            # The site logs requests itself: see papersite.middleware.
            "gunicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
            "gunicorn.error": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
            "django": {"handlers": [], "level": "WARNING"},
            # papersite.middleware logs each request's status and unexpected errors.
            "django.request": {"level": "CRITICAL"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
        },
    }
