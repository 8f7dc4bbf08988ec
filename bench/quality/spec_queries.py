"""The questions that search in specs is judged by, and the projects they are asked in."""

import csv
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from specs.reading.catalogue import Spec
from specs.reading.files import Project

HERE = Path(__file__).resolve().parent
PUBLIC = ("openspec", "simrun", "swift-index", "gruppenstunde")
# This project has only changes; each is read as a spec.
ONLY_CHANGES = "deepresearch-flow"
CJK = "cjk"
IDENTIFIER = re.compile(r"`([A-Za-z][a-z0-9]+(?:[_A-Z][A-Za-z0-9]+)+)`")


@dataclass(frozen=True, slots=True)
class RequirementPosition:
    """A requirement by its position in its spec, from 0."""

    spec: str
    position: int


@dataclass(frozen=True, slots=True)
class Query:
    """`half` says whether settings were chosen on it; where several requirements say the same, each is right."""

    kind: str
    half: str
    project: str
    right: tuple[RequirementPosition, ...]
    text: str


def judged_projects(data: Path) -> list[Project]:
    folders = {name: data / name for name in PUBLIC}
    folders |= {ONLY_CHANGES: data / ONLY_CHANGES / "openspec" / "changes", CJK: HERE / "spec_cjk"}
    return [Project(name, folder, prefixed=False) for name, folder in folders.items()]


def read_queries() -> list[Query]:
    with (HERE / "spec_queries.tsv").open(encoding="utf-8", newline="") as file:
        return [_parsed(row) for row in csv.DictReader(file, delimiter="\t")]


def _parsed(row: dict[str, str]) -> Query:
    project, _, targets = row["target"].partition(":")
    right = tuple(_position(target) for target in targets.split("|") if target)
    return Query(row["kind"], row["half"], project, right, row["query"])


def _position(text: str) -> RequirementPosition:
    spec, _, number = text.rpartition("#")
    return RequirementPosition(spec, int(number) - 1)


def identifiers(project: str, specs: Iterable[Spec]) -> list[Query]:
    """Identifiers in backticks that occur in one requirement only: five for each project."""
    items = [
        (RequirementPosition(spec.local_id, position), set(IDENTIFIER.findall(item.text)))
        for spec in specs
        for position, item in enumerate(spec.document.in_force)
    ]
    seen = Counter(name for _, names in items for name in names)
    unique = sorted((name, at.spec, at.position) for at, names in items for name in names if seen[name] == 1)
    step = max(1, len(unique) // 5)
    return [
        Query("identifier", "", project, (RequirementPosition(spec, position),), name)
        for name, spec, position in unique[::step][:5]
    ]
