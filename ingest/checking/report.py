"""What a check of a snapshot found, and how it is printed."""

from dataclasses import dataclass, field
from pathlib import Path

from papercore.snapshot.file import SnapshotFacts


@dataclass
class CheckReport:
    """`problems` is empty for a snapshot that can be served completely; `assets` is None when they were not checked."""

    database: Path
    assets: Path | None
    facts: SnapshotFacts | None = None
    counts: dict[str, int] = field(default_factory=dict)
    features: dict[str, bool] = field(default_factory=dict)
    index: str = "no index"
    problems: list[str] = field(default_factory=list)

    def describe(self) -> str:
        """A table with one line per fact; the problems are only counted."""
        rows: list[tuple[str, object]] = [("Snapshot", self.database)]
        if self.facts:
            rows.append(("Build", f"{self.facts.build_id}, {self.facts.built_at}"))
        rows.extend((name, f"{count:,}") for name, count in self.counts.items())
        rows.extend((name, "yes" if present else "no") for name, present in self.features.items())
        rows.append(("assets", self.assets or "not checked: they come from a URL"))
        rows.append(("search index", self.index))
        rows.append(("problems", f"{len(self.problems):,}"))
        return "\n".join(f"{name:<20} {value}" for name, value in rows)
