"""Reads fields of untrusted JSON: each function returns a clean value or nothing, whatever the field holds."""

import html
import re
from collections.abc import Iterable, Iterator

from paper_search.models import Author
from papercore.bibliography.identifiers import bare_doi
from papercore.text import one_line

# A tag begins with a letter: `p < 0.05 in A, and r > 0.8` has none.
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|title|sec|br|h\d|li|div)\b[^<>]*>", re.I)


def text(value: object) -> str | None:
    """A text without markup and extra white space; None if there is none."""
    if not isinstance(value, str):
        return None
    return one_line(html.unescape(_TAG.sub("", _BLOCK.sub(" ", value)))) or None


def first(value: object) -> object:
    """The first item of a list; None without one."""
    return value[0] if isinstance(value, list) and value else None


def first_text(value: object) -> str | None:
    """The first text of a list, or the text itself."""
    items = value if isinstance(value, list) else [value]
    return next((found for item in items if (found := text(item))), None)


def number(value: object) -> int:
    """A count; 0 for anything else."""
    try:
        return max(0, int(value)) if isinstance(value, int | str | float) else 0
    except (ValueError, OverflowError):
        return 0


def year(value: object) -> int | None:
    """The year in a number or at the start of a date."""
    found = re.match(r"\s*(\d{4})\b", str(value)) if isinstance(value, int | str) else None
    return int(found[1]) if found and 1000 <= int(found[1]) <= 2999 else None


def record(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def records(value: object) -> Iterator[dict[str, object]]:
    """The objects in a list; anything else in it is skipped."""
    return (item for item in value if isinstance(item, dict)) if isinstance(value, list) else iter(())


def doi(value: object) -> str | None:
    found = bare_doi(text(value) or "")
    return found if found.startswith("10.") else None


def url(value: object) -> str | None:
    found = text(value)
    return found if found and found.startswith(("http://", "https://")) else None


def authors(names: Iterable[str | None]) -> list[Author]:
    return [Author(name=name) for name in names if name]
