"""Reads .json: a summary file of the format, or CSL-JSON, distinguished by their content."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ingest.entries.entry import BadEntry, LocatedEntry, PaperEntry, Problem
from ingest.reading.csl import csl_entry
from ingest.reading.encodings import UNKNOWN_ENCODING, decode_file
from ingest.reading.json_stream import BadJson, Item, array_items, object_members, skip_blanks, value_at
from ingest.reading.paper_json import paper_entry


def read_json(path: Path) -> Iterator[LocatedEntry | Problem]:
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


ItemReader = Callable[[object], PaperEntry]


def _items(text: str) -> Iterator[tuple[Item, ItemReader]]:
    start = skip_blanks(text, 0)
    if text[start : start + 1] == "[":
        for item in array_items(text, start):
            yield item, _item_reader(item.value)
    elif text[start : start + 1] == "{":
        yield from _object_items(text, start)
    else:
        raise BadJson("neither an object nor an array", start)


def _object_items(text: str, start: int) -> Iterator[tuple[Item, ItemReader]]:
    members = dict(object_members(text, start))
    position = members.get("papers", members.get("items"))
    if position is None:
        item = value_at(text, start)
        yield item, _item_reader(item.value)
        return
    if text[position] != "[":
        raise BadJson("`papers` is not an array", position)
    tag = value_at(text, members["template_tag"]).value if "template_tag" in members else ""
    for item in array_items(text, position):
        if "papers" in members:
            yield item, lambda value: paper_entry(value, str(tag))
        else:
            yield item, _item_reader(item.value)


def _item_reader(value: object) -> ItemReader:
    """CSL-JSON calls a paper's title `title` and gives every item a `type`."""
    is_csl = isinstance(value, Mapping) and "paper_title" not in value and "type" in value
    return csl_entry if is_csl else paper_entry
