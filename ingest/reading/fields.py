"""Reads values from loosely structured fields; BadEntry for a value of the wrong kind."""

import html
import re
from collections.abc import Iterable, Mapping

from ingest.entries.entry import BadEntry
from ingest.entries.text import natural_name
from papercore.text import clean_text, one_line

Fields = Mapping[str, object]

_LIST_SEPARATORS = re.compile(r"[;,\n]")
# "and" is looked for from the first blank before it only: from each of many blanks it would take quadratic time.
_NAME_SEPARATORS = re.compile(r";|\n|(?<![^\S\n])\s+and\s+", re.IGNORECASE)
_TAG = re.compile(r"</?(?:jats:)?(?:i|b|u|em|strong|sub|sup|sc|span|p|title|sec|br|italic|bold)\b[^<>]*>", re.I)
_PARAGRAPH = re.compile(r"</(?:jats:)?(?:p|title)>|<br\s*/?>", re.I)


def text_line(fields: Fields, *names: str) -> str:
    """The first of the named fields that is not empty, on one line."""
    text = _first_text(fields, names)
    return one_line(text) if text else ""


def text_block(fields: Fields, *names: str) -> str:
    return clean_text(_first_text(fields, names))


def issue_number(*stated: str) -> str:
    """The first that can be one: some exports put a preprint's arXiv id into the same field."""
    return next((text for text in stated if text and not text.lower().startswith("arxiv:")), "")


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
    found = []
    for item in _items(names, value):
        if isinstance(item, Mapping):
            whole = text_line(item, "name", "literal", "full_name")
            particle = text_line(item, "non-dropping-particle", "dropping-particle")
            given, family = text_line(item, "given", "first"), text_line(item, "family", "last")
            found.append(whole or one_line(" ".join((given, particle, family, text_line(item, "suffix")))))
        else:
            found.append(one_line(_scalar(names[0], item)))
    return _distinct(found)


def without_markup(text: str) -> str:
    """A title or an abstract without the little HTML and JATS that exports leave in it."""
    if "<" not in text and "&" not in text:
        return text
    return html.unescape(_TAG.sub("", _PARAGRAPH.sub("\n", text))).strip()


def _first_text(fields: Fields, names: Iterable[str]) -> str:
    for name in names:
        text = _scalar(name, fields.get(name))
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
