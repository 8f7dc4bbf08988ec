"""Walks through a JSON text item by item, so that only one item at a time is held as objects."""

import json
import re
from collections.abc import Iterator

from msgspec import Struct

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Item(Struct, frozen=True):
    value: object
    start: int
    end: int


class BadJson(ValueError):
    """The text is not JSON from `position` on."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def value_at(text: str, position: int) -> Item:
    start = skip_blanks(text, position)
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise BadJson(f"not JSON: {error.msg}", error.pos) from None
    except RecursionError:
        raise BadJson("not usable: nested too deeply", start) from None
    except ValueError:
        raise BadJson("not usable: a number has thousands of digits", start) from None
    return Item(value, start, end)


def skip_blanks(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def array_items(text: str, position: int) -> Iterator[Item]:
    """The items of the array that opens at `position`."""
    position = skip_blanks(text, position + 1)
    while text[position : position + 1] != "]":
        item = value_at(text, position)
        yield item
        position = _after_comma(text, item.end, "]")


def object_members(text: str, position: int) -> Iterator[tuple[str, int]]:
    """The names, and where their values start. The values themselves are not kept."""
    position = skip_blanks(text, position + 1)
    while text[position : position + 1] != "}":
        name = value_at(text, position)
        colon = skip_blanks(text, name.end)
        if not isinstance(name.value, str) or text[colon : colon + 1] != ":":
            raise BadJson("not JSON: expected a name and a colon", colon)
        start = skip_blanks(text, colon + 1)
        yield name.value, start
        position = _after_comma(text, _end_of(text, start), "}")


def _end_of(text: str, position: int) -> int:
    if text[position : position + 1] != "[":
        return value_at(text, position).end
    end = skip_blanks(text, position + 1)
    for item in array_items(text, position):
        end = skip_blanks(text, item.end)
    return end + 1


def _after_comma(text: str, position: int, closing: str) -> int:
    position = skip_blanks(text, position)
    if text[position : position + 1] == closing:
        return position
    if text[position : position + 1] != ",":
        raise BadJson(f"not JSON: expected a comma or {closing}", position)
    return skip_blanks(text, position + 1)
