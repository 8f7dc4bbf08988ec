"""What a spec file says: value objects that the parser makes and everything else reads."""

from dataclasses import dataclass
from typing import Literal

Section = Literal["requirements", "added", "modified", "removed", "renamed", "outside"]
Role = Literal["given", "when", "then"]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader noticed; it never keeps the rest of the file from being served."""

    code: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Clause:
    """One step of a scenario: its keyword as a reader sees it, and the part of the scenario it belongs to."""

    keyword: str
    role: Role
    text: str

    @property
    def spoken(self) -> str:
        """The text alone where the role says it all, else with its BUT, OR or IF."""
        return f"{self.keyword} {self.text}" if self.keyword in ("BUT", "OR", "IF") else self.text


@dataclass(frozen=True, slots=True)
class Scenario:
    name: str
    line: int
    body: str
    preamble: str
    clauses: tuple[Clause, ...]

    def spoken(self, role: Role) -> list[str]:
        return [clause.spoken for clause in self.clauses if clause.role == role]


@dataclass(frozen=True, slots=True)
class Requirement:
    name: str
    line: int
    level: int
    section: Section
    text: str
    scenarios: tuple[Scenario, ...]


@dataclass(frozen=True, slots=True)
class SectionHeading:
    section: Section
    line: int


@dataclass(frozen=True, slots=True)
class Rename:
    old: str
    new: str
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """One file, read whole. `requirements` holds every section's; `in_force` those that hold at present."""

    title: str
    purpose: str
    purpose_line: int
    requirements: tuple[Requirement, ...]
    renames: tuple[Rename, ...]
    notices: tuple[Notice, ...]
    sections: tuple[SectionHeading, ...]

    @property
    def in_force(self) -> tuple[Requirement, ...]:
        return tuple(item for item in self.requirements if item.section != "removed")

    def of(self, section: Section) -> tuple[Requirement, ...]:
        return tuple(item for item in self.requirements if item.section == section)
