"""Splits a .bib file into blocks by line, so that a broken entry does not affect the others."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ingest.reading.lines import NumberedLine, encoding_warnings, read_lines

_OPENING = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]\s*([^\s,{}()=]*)")


class Block(Struct, frozen=True):
    """The text from one `@` at the start of a line to the next; with its kind and key."""

    line: int
    kind: str
    key: str
    text: str
    problem: str = ""
    warnings: tuple[str, ...] = ()


def read_blocks(path: Path) -> Iterator[Block]:
    lines: list[NumberedLine] = []
    for line in read_lines(path):
        if _OPENING.match(line.text):
            if lines:
                yield _block(lines)
            lines = [line]
        elif lines:
            lines.append(line)
    if lines:
        yield _block(lines)


def _block(lines: list[NumberedLine]) -> Block:
    text = "\n".join(line.text for line in lines).strip()
    opening = _OPENING.match(text)
    kind, key = (opening[1].lower(), opening[2]) if opening else ("", "")
    problem = next((line.problem for line in lines if line.problem), "")
    return Block(lines[0].number, kind, key, text, problem, encoding_warnings(lines))
