"""Texts that callers pass to tools, addresses and forms: without control characters, and not empty."""

import re

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

# SQLite ends a pattern at U+0000, so that it matches everything; PostgreSQL refuses it, and half a surrogate pair.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_BLANKS = r" \t\r\n"
# Blanks, control characters, and marks without a width, such as a zero-width space.
_UNSEEN = r"\s\u0000-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
# For documents that describe such texts to programs.
VISIBLE_PATTERN = f"[^{_UNSEEN}]"
VISIBLE_OR_BLANK_PATTERN = f"^[{_BLANKS}]*$|{VISIBLE_PATTERN}"
_VISIBLE = re.compile(rf"[^{_UNSEEN}\ud800-\udfff]")


def without_control_characters(text: str) -> str:
    """Each is a blank instead; tabs and line ends stay."""
    return _CONTROL.sub(" ", text)


def cleaned(value: object) -> object:
    """The same for every text in a JSON value."""
    if isinstance(value, str):
        return without_control_characters(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    return {name: cleaned(item) for name, item in value.items()} if isinstance(value, dict) else value


def is_visible(text: str) -> bool:
    """Whether anything of it can be seen."""
    return bool(_VISIBLE.search(text))


def visible_text(text: str) -> str:
    """The text, cleaned; one in which nothing can be seen is refused."""
    if not is_visible(text):
        raise PydanticCustomError("empty_text", "The text is empty: write at least one letter, digit or sign")
    return without_control_characters(text)


def text_or_blank(text: str) -> str:
    """The text, cleaned; a blank one asks for everything, but not one that only cleaning makes blank."""
    return visible_text(text) if text.strip(" \t\r\n") else text


# For the annotation of any text, of one that must not be empty, and of one that may be blank.
CLEAN = AfterValidator(without_control_characters)
VISIBLE = AfterValidator(visible_text)
VISIBLE_OR_BLANK = AfterValidator(text_or_blank)
