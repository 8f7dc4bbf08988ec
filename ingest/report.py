"""What a build or an update read and could not use, and what it did to each paper."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from ingest.entries.entry import Problem
from ingest.progress import TaskProgress
from papercore.text import one_line

# A million broken lines need not all be kept to be counted; each is printed when it is found.
_KEPT_PROBLEMS = 1000


@dataclass
class ReadingReport:
    """`read` entries; `skipped` entries and files could not be used, `notes` are mere remarks."""

    read: int = 0
    skipped: int = 0
    notes: int = 0
    problems: list[Problem] = field(default_factory=list)

    def skip(self, problem: Problem, progress: TaskProgress) -> None:
        self.skipped += 1
        self._keep(problem, progress)

    def note(self, problem: Problem, progress: TaskProgress) -> None:
        self.notes += 1
        self._keep(problem, progress)

    def _keep(self, problem: Problem, progress: TaskProgress) -> None:
        if len(self.problems) < _KEPT_PROBLEMS:
            self.problems.append(problem)
        progress.say(one_line(str(problem)))


@dataclass
class SnapshotBuildReport(ReadingReport):
    """Entries read became `papers`."""

    out: Path = Path()
    papers: int = 0
    build_id: str = ""

    @property
    def merged(self) -> int:
        return self.read - self.papers

    def describe(self) -> str:
        """One line for the person at the terminal."""
        return (
            f"{self.out}: {self.papers:,} papers. "
            f"Entries read: {self.read:,}, merged: {self.merged:,}, skipped: {self.skipped:,}."
        )


ChangeKind = Literal["added", "changed", "unchanged", "removed"]


class PaperChange(BaseModel):
    """What an update does to one paper, the places of the entries about it, and what a person should look at.

    `matched_by` says what it shares with the paper of the library: a kind of key, or `title`. `files` are the inputs
    that became its files. `from_inputs_alone`: the library has nothing about it that the inputs do not say.
    """

    model_config = ConfigDict(frozen=True)

    paper_id: str
    title: str
    kind: ChangeKind
    places: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    from_inputs_alone: bool = False
    matched_by: str = ""
    doubts: tuple[str, ...] = ()


class UpdateRecord(BaseModel):
    """An update that was made: between which builds, what it changed, and which assets it wrote."""

    model_config = ConfigDict(frozen=True)

    at: str
    build_before: str
    build_after: str
    # Names of the inputs.
    sources: tuple[str, ...] = ()
    changes: tuple[PaperChange, ...] = ()
    # Assets of the papers that were added or changed, those of them that were new, and those that no paper uses now.
    written: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()

    def describe(self) -> str:
        """One line for the person at the terminal."""
        counts = Counter(change.kind for change in self.changes)
        kinds = ", ".join(f"{kind}: {count:,}" for kind, count in sorted(counts.items()))
        return f"{self.at} {' '.join(self.sources)} papers {kinds}"

    @property
    def paper_ids(self) -> frozenset[str]:
        return frozenset(change.paper_id for change in self.changes)


@dataclass
class UpdateReport(ReadingReport):
    """The build id is that of the new version; if nothing was to be changed, that of the old one.

    `fingerprints` are those of the papers that the inputs are about, as the library had them before.
    """

    library: Path = Path()
    changes: list[PaperChange] = field(default_factory=list)
    build_id: str = ""
    fingerprints: dict[str, str] = field(default_factory=dict)

    def count(self, kind: ChangeKind) -> int:
        return Counter(change.kind for change in self.changes)[kind]

    def describe(self) -> str:
        """One line for the person at the terminal."""
        kinds: tuple[ChangeKind, ...] = ("added", "changed", "unchanged", "removed")
        counts = ", ".join(f"{kind}: {self.count(kind):,}" for kind in kinds)
        return f"{self.library}: papers {counts}. Entries read: {self.read:,}, skipped: {self.skipped:,}."

    def details(self) -> list[str]:
        """A line for each paper that changes or is doubtful."""
        lines = []
        for change in self.changes:
            if change.kind != "unchanged" or change.doubts:
                matched = f" (matched by {change.matched_by})" if change.matched_by else ""
                doubts = "".join(f"\n    ? {doubt}" for doubt in change.doubts)
                lines.append(f"{change.kind:9} {change.paper_id} {change.title}{matched}{doubts}")
        return lines
