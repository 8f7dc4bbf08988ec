"""What an update read, and what it does to each paper."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ingest.report import ReadingReport
from ingest.versions import ChangeKind, PaperChange


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
        return [_line(change) for change in self.changes if change.kind != "unchanged" or change.doubts]


def _line(change: PaperChange) -> str:
    matched = f" (matched by {change.matched_by})" if change.matched_by else ""
    doubts = "".join(f"\n    ? {doubt}" for doubt in change.doubts)
    return f"{change.kind:9} {change.paper_id} {change.title}{matched}{doubts}"
