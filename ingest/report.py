"""What a build read and could not use, told as it is found."""

from dataclasses import dataclass, field
from pathlib import Path

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
