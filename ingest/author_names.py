"""Names of authors: written as `First Last`, and the surname to compare by."""

from ingest.entries.text import folded
from papercore.text import one_line

_GENERATIONS = {"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"}


def natural_name(name: str) -> str:
    """`Knuth, Donald E.` or `King, Jr., Martin Luther` or `King, Martin Luther, Jr.` with the given names first."""
    parts = [part for part in (one_line(part) for part in name.split(",")) if part]
    if len(parts) < 2:
        return parts[0] if parts else ""
    generation = [part for part in parts[1:] if part.lower() in _GENERATIONS]
    given = [part for part in parts[1:] if part.lower() not in _GENERATIONS]
    return one_line(" ".join([*given, parts[0], *generation]))


def surname(name: str) -> str:
    """The folded last name, in whichever order the name is written."""
    if "," in name:
        return folded(name.split(",")[0])
    words = [word for word in name.split() if word.lower() not in _GENERATIONS]
    return folded(words[-1]) if words else ""
