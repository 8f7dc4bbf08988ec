"""Reads values from loosely structured fields; BadEntry for a value of the wrong kind."""

import re
from collections.abc import Iterable, Mapping

from ingest.author_names import natural_name
from ingest.entries.entry import BadEntry
from papercore.text import clean_text, one_line

Fields = Mapping[str, object]

_LIST_SEPARATORS = re.compile(r"[;,\n]")
# "and" is looked for from the first blank before it only: from each of many blanks it would take quadratic time.
_NAME_SEPARATORS = re.compile(r";|\n|(?<![^\S\n])\s+and\s+", re.IGNORECASE)


def text_line(fields: Fields, *names: str) -> str:
    """The first of the named fields that is not empty, on one line."""
    text = _first_text(fields, names)
    return one_line(text) if text else ""


def text_block(fields: Fields, *names: str) -> str:
    return clean_text(_first_text(fields, names))


def _first_text(fields: Fields, names: Iterable[str]) -> str:
    for name in names:
        value = fields.get(name)
        if value is None:
            continue
        text = value if isinstance(value, str) else _scalar(name, value)
        if text and not text.isspace():
            return text
    return ""


def _scalar(name: str, value: object) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, int | float):
        return str(value)
    raise BadEntry(f"{name} is neither text nor a number")


def text_list(fields: Fields, *names: str) -> tuple[str, ...]:
    """Short texts from a list, or from one text that separates them by commas or semicolons."""
    value = _first_present(fields, names)
    items: list[object] = list(_LIST_SEPARATORS.split(value)) if isinstance(value, str) else _items(names, value)
    return _distinct(one_line(_scalar(names[0], item)) for item in items)


def person_names(fields: Fields, *names: str) -> tuple[str, ...]:
    """Names from a list of texts or of objects, or from one text with `;` or `and` between them."""
    value = _first_present(fields, names)
    if isinstance(value, str):
        return _distinct(natural_name(name) for name in _NAME_SEPARATORS.split(value))
    return _distinct(_person(names[0], item) for item in _items(names, value))


def _person(field: str, item: object) -> str:
    if not isinstance(item, Mapping):
        return one_line(_scalar(field, item))
    whole = text_line(item, "name", "literal", "full_name")
    particle = text_line(item, "non-dropping-particle", "dropping-particle")
    parts = (text_line(item, "given", "first"), particle, text_line(item, "family", "last"), text_line(item, "suffix"))
    return whole or one_line(" ".join(parts))


def _first_present(fields: Fields, names: Iterable[str]) -> object:
    return next((fields[name] for name in names if fields.get(name)), None)


def _items(names: tuple[str, ...], value: object) -> list[object]:
    if value is None:
        return []
    if isinstance(value, list):
        return value
    raise BadEntry(f"{names[0]} is not a list")


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
