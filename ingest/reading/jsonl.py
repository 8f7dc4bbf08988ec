"""Reads .jsonl and .jsonl.gz: one paper a line."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from ingest.entries.entry import BadEntry, LocatedEntry, Problem
from ingest.reading.lines import GZIP_ERRORS, NumberedLine, encoding_warnings, read_lines
from ingest.reading.paper_json import paper_entry

# What is read at once, in one process or another.
_LINES_AT_ONCE = 200
_CHARS_AT_ONCE = 4_000_000

_Lines = Sequence[NumberedLine]
_Items = list[LocatedEntry | Problem]


class Spread(Protocol):
    """Calls a function for each part, here or in other processes, and gives the results in order."""

    def __call__(self, function: Callable[[_Lines], _Items], parts: Iterable[_Lines], /) -> Iterable[_Items]: ...


def read_jsonl(path: Path, spread: Spread = map) -> Iterator[LocatedEntry | Problem]:
    for items in spread(partial(_read_all, path), _parts(_lines(path))):
        yield from items


def _lines(path: Path) -> Iterator[NumberedLine]:
    number = 0
    try:
        for line in read_lines(path):
            number = line.number
            if line.problem or line.text.strip():
                yield line
    except GZIP_ERRORS as error:
        yield NumberedLine(number + 1, "", f"the gzip file is broken: {error}")


def _parts(lines: Iterable[NumberedLine]) -> Iterator[_Lines]:
    part: list[NumberedLine] = []
    chars = 0
    for line in lines:
        part.append(line)
        chars += len(line.text)
        if len(part) >= _LINES_AT_ONCE or chars >= _CHARS_AT_ONCE:
            yield part
            part, chars = [], 0
    if part:
        yield part


def _read_all(path: Path, lines: _Lines) -> _Items:
    return [_read(path, line) for line in lines]


def _read(path: Path, line: NumberedLine) -> LocatedEntry | Problem:
    place = f"{path}:{line.number}"
    if line.problem:
        return Problem(place, line.problem)
    try:
        return LocatedEntry(line.number, paper_entry(json.loads(line.text)), encoding_warnings([line]))
    except json.JSONDecodeError as error:
        return Problem(place, f"not JSON: {error.msg}")
    except BadEntry as error:
        return Problem(place, str(error))
    except RecursionError:
        return Problem(place, "not usable: nested too deeply")
    except ValueError:
        return Problem(place, "not usable: a number has thousands of digits")
