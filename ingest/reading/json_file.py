"""Reads .json, item by item, and .jsonl, line by line; what a paper's object says is read in `paper_json`."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct

from ingest.entries.entry import BadEntry, LocatedEntry, PaperEntry, Problem
from ingest.reading.lines import (
    GZIP_ERRORS,
    UNKNOWN_ENCODING,
    NumberedLine,
    decode_file,
    encoding_warnings,
    read_lines,
)
from ingest.reading.paper_json import csl_entry, paper_entry

_TOO_DEEP = "not usable: nested too deeply"
_TOO_LONG_A_NUMBER = "not usable: a number has thousands of digits"
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def read_jsonl(path: Path) -> Iterator[LocatedEntry | Problem]:
    """One paper a line, plain or gzipped; empty lines are left out."""
    number = 0
    try:
        for line in read_lines(path):
            number = line.number
            if line.problem or line.text.strip():
                yield _read_line(path, line)
    except GZIP_ERRORS as error:
        yield Problem(f"{path}:{number + 1}", f"the gzip file is broken: {error}")


def _read_line(path: Path, line: NumberedLine) -> LocatedEntry | Problem:
    problem = line.problem
    if not problem:
        try:
            value = json.loads(line.text)
            read = csl_entry if _has_csl_fields(value) else paper_entry
            return LocatedEntry(line.number, read(value), encoding_warnings([line]))
        except json.JSONDecodeError as error:
            problem = f"not JSON: {error.msg}"
        except BadEntry as error:
            problem = str(error)
        except RecursionError:
            problem = _TOO_DEEP
        except ValueError:
            problem = _TOO_LONG_A_NUMBER
    return Problem(f"{path}:{line.number}", problem)


# Names of fields by which the items of CSL-JSON are told from others that have a type.
_ONLY_CSL = frozenset(("container-title", "issued"))
_NOT_CSL = frozenset(("paper_title", "authors", "booktitle", "journal", "year"))
ItemReader = Callable[[object], PaperEntry]


class Item(Struct, frozen=True):
    value: object
    start: int
    end: int


class BadJson(ValueError):
    """The text is not JSON from `position` on."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def read_json(path: Path) -> Iterator[LocatedEntry | Problem]:
    """A summary file of the format, or CSL-JSON, distinguished by their content."""
    text, encoding = decode_file(path.read_bytes())
    if encoding is None:
        yield Problem(f"{path}:1", UNKNOWN_ENCODING)
        return
    warnings = (f"read as {encoding}",) if encoding else ()
    lines = _LineCounter(text)
    try:
        for item, read in _items(text):
            line = lines.at(item.start)
            try:
                yield LocatedEntry(line, read(item.value), warnings)
            except BadEntry as error:
                yield Problem(f"{path}:{line}", str(error))
    except BadJson as error:
        yield Problem(f"{path}:{lines.at(error.position)}", f"{error}; the rest of the file is skipped")


class _LineCounter:
    """Line numbers of rising positions, counted once over the whole text."""

    def __init__(self, text: str) -> None:
        self._text, self._position, self._line = text, 0, 1

    def at(self, position: int) -> int:
        self._line += self._text.count("\n", self._position, position)
        self._position = max(position, self._position)
        return self._line


def _items(text: str) -> Iterator[tuple[Item, ItemReader]]:
    """The papers of an array, of an object's `papers` or `items`, or the one paper that an object is."""
    start = _skip_blanks(text, 0)
    if text[start : start + 1] == "[":
        yield from ((item, _item_reader(item.value)) for item in _array_items(text, start))
        return
    if text[start : start + 1] != "{":
        raise BadJson("neither an object nor an array", start)
    members = dict(_object_members(text, start))
    position = members.get("papers", members.get("items"))
    if position is None:
        item = _value_at(text, start)
        yield item, _item_reader(item.value)
        return
    if text[position] != "[":
        raise BadJson("`papers` is not an array", position)
    tag = _value_at(text, members["template_tag"]).value if "template_tag" in members else ""
    for item in _array_items(text, position):
        yield item, partial(paper_entry, template=str(tag)) if "papers" in members else _item_reader(item.value)


def _item_reader(value: object) -> ItemReader:
    """CSL-JSON calls a paper's title `title` and gives every item a `type`."""
    is_typed = isinstance(value, Mapping) and "type" in value and value.keys().isdisjoint(_NOT_CSL)
    return csl_entry if is_typed or _has_csl_fields(value) else paper_entry


def _has_csl_fields(value: object) -> bool:
    return isinstance(value, Mapping) and not value.keys().isdisjoint(_ONLY_CSL) and "paper_title" not in value


# A JSON text is walked through item by item, so that only one at a time is held as objects.


def _array_items(text: str, position: int) -> Iterator[Item]:
    """The items of the array that opens at `position`."""
    position = _skip_blanks(text, position + 1)
    while text[position : position + 1] != "]":
        item = _value_at(text, position)
        yield item
        position = _after_comma(text, item.end, "]")


def _object_members(text: str, position: int) -> Iterator[tuple[str, int]]:
    """The names, and where their values start. The values themselves are not kept."""
    position = _skip_blanks(text, position + 1)
    while text[position : position + 1] != "}":
        name = _value_at(text, position)
        colon = _skip_blanks(text, name.end)
        if not isinstance(name.value, str) or text[colon : colon + 1] != ":":
            raise BadJson("not JSON: expected a name and a colon", colon)
        start = _skip_blanks(text, colon + 1)
        yield name.value, start
        if text[start : start + 1] == "[":
            end = _skip_blanks(text, start + 1)
            for item in _array_items(text, start):
                end = _skip_blanks(text, item.end)
            end += 1
        else:
            end = _value_at(text, start).end
        position = _after_comma(text, end, "}")


def _value_at(text: str, position: int) -> Item:
    start = _skip_blanks(text, position)
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise BadJson(f"not JSON: {error.msg}", error.pos) from None
    except RecursionError:
        raise BadJson(_TOO_DEEP, start) from None
    except ValueError:
        raise BadJson(_TOO_LONG_A_NUMBER, start) from None
    return Item(value, start, end)


def _skip_blanks(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _after_comma(text: str, position: int, closing: str) -> int:
    position = _skip_blanks(text, position)
    if text[position : position + 1] == closing:
        return position
    if text[position : position + 1] != ",":
        raise BadJson(f"not JSON: expected a comma or {closing}", position)
    return _skip_blanks(text, position + 1)
