"""Cuts a .bib file into its blocks by line, so that one broken entry costs only itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from papers.build.readers.lines import NumberedLine, read_lines

_OPENING = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]\s*([^\s,{}()=]*)")


@dataclass(frozen=True)
class Block:
    """The text from one `@` at the start of a line to the next; `kind` and `key` as they stand in it."""

    line: int
    kind: str
    key: str
    text: str
    problem: str = ""


def read_blocks(path: Path) -> Iterator[Block]:
    held: list[NumberedLine] = []
    for row in read_lines(path):
        if _OPENING.match(row.text):
            if held:
                yield _block(held)
            held = [row]
        elif held:
            held.append(row)
    if held:
        yield _block(held)


def _block(held: list[NumberedLine]) -> Block:
    text = "\n".join(row.text for row in held).strip()
    opening = _OPENING.match(text)
    kind, key = (opening[1].lower(), opening[2]) if opening else ("", "")
    problem = next((row.problem for row in held if row.problem), "")
    return Block(held[0].number, kind, key, text, problem)
