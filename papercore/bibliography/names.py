"""Names of people and groups: their parts, and how citation formats write them."""

import re
from dataclasses import dataclass

from papercore.text import one_line

_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|phd|md)\.?", re.I)


@dataclass(frozen=True)
class PersonName:
    """A person, or a group such as `World Health Organization`, which has a family name alone.

    Particles are part of the name that they are written with: family `van der Maaten`, or given `Alphonse de`.
    """

    family: str
    given: str = ""
    suffix: str = ""

    @property
    def natural(self) -> str:
        """`Martin Luther King Jr.`"""
        return " ".join(part for part in (self.given, self.family, self.suffix) if part)

    @property
    def indexed(self) -> str:
        """`King, Martin Luther, Jr.`, as RIS has it."""
        return ", ".join(part for part in (self.family, self.given, self.suffix) if part)

    @property
    def is_group(self) -> bool:
        return not self.given and not self.suffix


def parse_name(text: str) -> PersonName:
    """The parts of `Given Family`, or of a name with commas."""
    line = one_line(text)
    if name := _parse_commas(line):
        return name
    words = line.split()
    end = len(words)
    while end > 1 and _SUFFIX.fullmatch(words[end - 1]):
        end -= 1
    start = max(end - 1, 0)
    while start > 1 and words[start - 1].islower():
        start -= 1
    return PersonName(" ".join(words[start:end]), " ".join(words[:start]), " ".join(words[end:]))


def parse_indexed_name(text: str) -> PersonName:
    """The parts of `Family, Given`; without a comma it is a group, whose words stay together."""
    line = one_line(text)
    return _parse_commas(line) or PersonName(line)


def _parse_commas(line: str) -> PersonName | None:
    """The parts of `Family, Given`, `Family, Jr., Given` or `Family, Given, Jr.`"""
    family, *rest = [part.strip() for part in line.split(",")]
    parts = [part for part in rest if part]
    if not family or not parts:
        return PersonName(family) if family and rest else None
    suffixes = [part for part in parts if _SUFFIX.fullmatch(part)]
    given = [part for part in parts if not _SUFFIX.fullmatch(part)]
    return PersonName(family, ", ".join(given), " ".join(suffixes))
