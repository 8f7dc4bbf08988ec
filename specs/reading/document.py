"""What a spec file says: value objects that the parser makes and everything else reads."""

import re
from typing import Literal

from msgspec import Struct

Section = Literal["requirements", "added", "modified", "removed", "renamed", "outside"]
Role = Literal["given", "when", "then"]
# The sections of a delta that hold requirements; a rename is two names.
DELTA_SECTIONS: tuple[Section, ...] = ("added", "modified", "removed")
BINDING_WORD = re.compile(r"\b(?:SHALL|MUST)(?: NOT)?\b")


def excerpt(text: str, length: int) -> str:
    """The first paragraph on one line, cut at a word: what lists show of a text."""
    paragraph = " ".join(text.split("\n\n", 1)[0].split())
    if len(paragraph) <= length:
        return paragraph
    cut = paragraph[: length - 1]
    return f"{cut.rpartition(' ')[0] or cut} …"


class Notice(Struct, frozen=True):
    """Something odd about the file; the rest of it is served all the same."""

    code: str
    line: int
    message: str


class Clause(Struct, frozen=True):
    """One step of a scenario: its keyword in English, and the part of the scenario it belongs to."""

    keyword: str
    role: Role
    text: str

    @property
    def full_text(self) -> str:
        """The text alone where the role says it all, else with its BUT, OR or IF."""
        return f"{self.keyword} {self.text}" if self.keyword in ("BUT", "OR", "IF") else self.text


class Scenario(Struct, frozen=True):
    name: str
    line: int
    body: str
    preamble: str
    clauses: tuple[Clause, ...]

    def texts(self, role: Role) -> list[str]:
        return [clause.full_text for clause in self.clauses if clause.role == role]


class Requirement(Struct, frozen=True):
    name: str
    line: int
    level: int
    section: Section
    text: str
    scenarios: tuple[Scenario, ...]


class SectionHeading(Struct, frozen=True):
    section: Section
    line: int


class Rename(Struct, frozen=True):
    old: str
    new: str
    line: int


class SpecDocument(Struct, frozen=True):
    """One parsed file. `requirements` holds those of every section, `in_force` all but the removed ones. Where none
    has a form that is known, the file's sections stand in their place: `by_sections`."""

    title: str
    purpose: str
    purpose_line: int
    requirements: tuple[Requirement, ...]
    renames: tuple[Rename, ...]
    notices: tuple[Notice, ...]
    sections: tuple[SectionHeading, ...]
    kind: Literal["openspec", "spec_kit", "document"] = "openspec"
    by_sections: bool = False

    @property
    def requirement_count(self) -> int:
        return 0 if self.by_sections else len(self.in_force)

    @property
    def in_force(self) -> tuple[Requirement, ...]:
        return tuple(item for item in self.requirements if item.section != "removed")

    def in_section(self, section: Section) -> tuple[Requirement, ...]:
        return tuple(item for item in self.requirements if item.section == section)
