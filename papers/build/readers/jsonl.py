"""Reads .jsonl and .jsonl.gz: one paper a line."""

import json
from collections.abc import Iterator
from pathlib import Path

from papers.build.entry import BadEntry, LocatedEntry, Problem
from papers.build.readers.lines import GZIP_ERRORS, NumberedLine, encoding_warnings, read_lines
from papers.build.readers.paper_json import paper_entry


def read_jsonl(path: Path) -> Iterator[LocatedEntry | Problem]:
    number = 0
    try:
        for line in read_lines(path):
            number = line.number
            if line.problem or line.text.strip():
                yield _read(path, line)
    except GZIP_ERRORS as error:
        yield Problem(f"{path}:{number + 1}", f"the gzip file is broken: {error}")


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
