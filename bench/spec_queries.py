"""The questions that search in specs is judged by, and the projects that they are asked of."""

import csv
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from specs.reading.catalogue import Spec
from specs.reading.projects import Project

HERE = Path(__file__).resolve().parent
PUBLIC = ("openspec", "simrun", "swift-index", "gruppenstunde")
# This project has only changes; each is read as a spec.
ONLY_CHANGES = "deepresearch-flow"
CJK = "cjk"
IDENTIFIER = re.compile(r"`([A-Za-z][a-z0-9]+(?:[_A-Z][A-Za-z0-9]+)+)`")


@dataclass(frozen=True, slots=True)
class Place:
    """A requirement: `place` counts those of its spec, from 0."""

    spec: str
    place: int


@dataclass(frozen=True, slots=True)
class Query:
    """`half` says whether settings were chosen on it; where several requirements say the same, each is right."""

    kind: str
    half: str
    project: str
    right: tuple[Place, ...]
    text: str


def judged_projects(data: Path) -> list[Project]:
    folders = {name: data / name for name in PUBLIC}
    folders |= {ONLY_CHANGES: data / ONLY_CHANGES / "openspec" / "changes", CJK: HERE / "spec_cjk"}
    return [Project(name, folder, prefixed=False) for name, folder in folders.items()]


def read_queries() -> list[Query]:
    with (HERE / "spec_queries.tsv").open(encoding="utf-8", newline="") as file:
        return [_parsed(row) for row in csv.DictReader(file, delimiter="\t")]


def _parsed(row: dict[str, str]) -> Query:
    project, _, places = row["target"].partition(":")
    right = tuple(_place(place) for place in places.split("|") if place)
    return Query(row["kind"], row["half"], project, right, row["query"])


def _place(text: str) -> Place:
    spec, _, number = text.rpartition("#")
    return Place(spec, int(number) - 1)


def identifiers(project: str, specs: Iterable[Spec]) -> list[Query]:
    """Identifiers in code marks that occur in one requirement only: five for each project."""
    items = [
        (Place(spec.local_id, place), set(IDENTIFIER.findall(item.text)))
        for spec in specs
        for place, item in enumerate(spec.document.in_force)
    ]
    seen = Counter(name for _, names in items for name in names)
    unique = sorted((name, place.spec, place.place) for place, names in items for name in names if seen[name] == 1)
    step = max(1, len(unique) // 5)
    return [Query("identifier", "", project, (Place(spec, at),), name) for name, spec, at in unique[::step][:5]]
