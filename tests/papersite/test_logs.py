"""The lines of the log, for programs and for a terminal."""

import json
import logging
import sys

from papersite import logs


def record(message: str, *, exc_info: object = None, **fields: object) -> logging.LogRecord:
    made = logging.makeLogRecord({"name": "papers.tools", "levelname": "INFO", "msg": message, "exc_info": exc_info})
    made.fields = fields
    return made


def raised() -> object:
    try:
        raise ValueError("the secret in /home/operator/file")
    except ValueError:
        return sys.exc_info()


def test_a_line_is_one_json_object_with_its_fields() -> None:
    line = json.loads(logs.JsonFormatter().format(record("tool call\nforged", tool="search_papers", ms=1.5)))
    assert line["event"] == "tool call\nforged"
    assert (line["level"], line["logger"], line["tool"], line["ms"]) == ("info", "papers.tools", "search_papers", 1.5)
    assert line["time"].endswith("+00:00")


def test_an_unexpected_error_is_told_by_kind_and_place_alone() -> None:
    text = logs.JsonFormatter().format(record("internal error", exc_info=raised()))
    line = json.loads(text)
    assert line["error"] == "ValueError"
    assert line["at"][-1].startswith("tests.papersite.test_logs.raised:")
    assert "secret" not in text
    assert "/home" not in text


def test_a_terminal_gets_one_readable_line_and_the_traceback() -> None:
    formatter = logs.TerminalFormatter()
    text = formatter.format(record("request", route="mcp\x1b[2J", status=200))
    assert text.endswith("INFO    request route=mcp?[2J status=200")
    assert "ValueError: the secret" in formatter.format(record("internal error", exc_info=raised()))
