"""What a long task says: its progress while it runs; at the end, what it read and did to each paper."""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import Literal, Protocol, TextIO, TypeVar

from pydantic import BaseModel, ConfigDict
from tqdm import tqdm

from ingest.entries.entry import Problem, UnusableInput
from papercore.text import one_line

# A million broken lines need not all be kept to be counted; each is printed when it is found.
_KEPT_PROBLEMS = 1000
T = TypeVar("T")
_SECONDS_BETWEEN_LINES = 5.0
# Of an old and a new value, on a line of a terminal.
_SHOWN_CHARS = 80
# Of a value that stands on a line alone.
_VALUE_CHARS = 160


class TaskProgress(Protocol):
    """Receives the messages of a task and what it is at, and watches its loops."""

    def say(self, message: str) -> None: ...

    def stage(self, message: str) -> None: ...

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]: ...


class NoProgress:
    """For callers who only want the result."""

    def say(self, message: str) -> None:
        pass

    def stage(self, message: str) -> None:
        pass

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        yield from items


class CommandOutput(Protocol):
    """A management command's stderr: each write is a line."""

    def write(self, msg: str) -> None: ...

    def isatty(self) -> bool: ...


class LineProgress:
    """For logs: a line when a loop ends, and every few seconds while it runs."""

    def __init__(self, output: CommandOutput) -> None:
        self._output = output

    def say(self, message: str) -> None:
        self._output.write(message)

    stage = say

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        start = last_line = time.monotonic()
        count = 0
        for count, item in enumerate(items, 1):
            yield item
            if time.monotonic() - last_line >= _SECONDS_BETWEEN_LINES:
                last_line = time.monotonic()
                self._write_rate(label, count, last_line - start, total)
        self._write_rate(label, count, time.monotonic() - start, None)

    def _write_rate(self, label: str, count: int, seconds: float, total: int | None) -> None:
        rate = count / max(seconds, 0.001)
        left = f", {(total - count) / rate:,.0f} s left" if total and count else ""
        digits = 0 if rate >= 10 else 1
        self._output.write(f"{label}: {count:,}, {rate:,.{digits}f}/s{left}")


class BarProgress:
    """For a person at a terminal."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal

    def say(self, message: str) -> None:
        tqdm.write(message, file=self._terminal)

    stage = say

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        yield from tqdm(items, desc=label, total=total, unit="", file=self._terminal)


def command_progress(stderr: CommandOutput) -> TaskProgress:
    # A bar redraws its line, and a command's stderr ends every write with a line feed.
    return BarProgress(sys.stderr) if stderr.isatty() else LineProgress(stderr)


@dataclass
class ReadingReport:
    """`read` entries, `known` of them before; `skipped` entries and files could not be used, `notes` are remarks."""

    read: int = 0
    known: int = 0
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


class FieldChange(BaseModel):
    """A field before and after, who says what it has now and why that counts, and what others say in vain."""

    model_config = ConfigDict(frozen=True)

    name: str
    old: str
    new: str
    source: str = ""
    reason: str = ""
    losing: tuple[tuple[str, str], ...] = ()

    def describe(self) -> str:
        """One line for the person at the terminal."""
        old, new = (shorten(value, _SHOWN_CHARS, placeholder=" ...") or "nothing" for value in (self.old, self.new))
        said = [text for text in (self.source, self.reason) if text]
        said += [f"not {shorten(value, _SHOWN_CHARS, placeholder=' ...')} of {name}" for name, value in self.losing]
        return f"{self.name}: {old} -> {new}" + (f" ({'; '.join(said)})" if said else "")


class Twin(BaseModel):
    """Another paper with the same title, and what speaks against its being the same; `is_new` if it is added, too."""

    model_config = ConfigDict(frozen=True)

    paper_id: str
    by: str
    differs: str
    is_new: bool = False


class PaperChange(BaseModel):
    """What an update does to one paper, the places of the entries about it, and what a person should look at.

    `matched_by` says what an entry shares with the others about it: a kind of key, or `title`. `values` are its fields
    as it is then; `notes` say what changes beside them. `sources` names what was read of it, and `begins` is how its
    text does. `removed_by` is the operation that removed it, which taken back brings it back.
    """

    model_config = ConfigDict(frozen=True)

    paper_id: str
    title: str
    kind: ChangeKind
    places: tuple[str, ...] = ()
    matched_by: str = ""
    doubts: tuple[str, ...] = ()
    fields: tuple[FieldChange, ...] = ()
    notes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    twins: tuple[Twin, ...] = ()
    values: dict[str, str] = {}
    begins: str = ""
    removed_by: int = 0

    def describe_values(self) -> list[str]:
        """Lines for the person at the terminal: the fields beside the title, and how the text begins."""
        shown = {name: value.replace("\n", "; ") for name, value in self.values.items() if name != "title"}
        shown |= {"begins": self.begins} if self.begins else {}
        return [f"{name}: {shorten(value, _VALUE_CHARS, placeholder=' ...')}" for name, value in shown.items()]

    def then(self, later: "PaperChange") -> "PaperChange":
        """This change, and a later one of the same paper, as one."""
        kind = later.kind if self.kind == "unchanged" or later.kind == "removed" else self.kind
        fields = {each.name: each for each in self.fields}
        for each in later.fields:
            fields[each.name] = each.model_copy(update={"old": fields.get(each.name, each).old})
        return later.model_copy(
            update={
                "kind": kind,
                "places": (*self.places, *later.places),
                "sources": (*self.sources, *later.sources),
                "matched_by": self.matched_by or (later.matched_by if self.kind != "added" else ""),
                "doubts": tuple(dict.fromkeys((*self.doubts, *later.doubts))),
                "fields": () if kind == "added" else tuple(fields.values()),
                "notes": () if kind == "added" else tuple(dict.fromkeys((*self.notes, *later.notes))),
            }
        )


@dataclass
class UpdateReport(ReadingReport):
    """The build id is that of the new version; if nothing was to be changed, that of the old one.

    `unusable` are inputs that gave nothing; `operation` is the number by which it can be taken back.
    """

    library: Path = Path()
    changes: list[PaperChange] = field(default_factory=list)
    build_id: str = ""
    unusable: list[Path] = field(default_factory=list)
    operation: int = 0

    def refuse(self, error: UnusableInput, progress: TaskProgress) -> None:
        """An input that gives no paper is skipped; the others are used."""
        self.unusable += error.paths
        self.skip(Problem(str(error.paths[0]), str(error)), progress)

    def add(self, changes: Sequence[PaperChange]) -> None:
        """What was done to a paper before, and is done to it again, is one change."""
        found = {change.paper_id: change for change in self.changes}
        for change in changes:
            before = found.get(change.paper_id)
            found[change.paper_id] = before.then(change) if before else change
        self.changes = list(found.values())

    def count(self, kind: ChangeKind) -> int:
        return Counter(change.kind for change in self.changes)[kind]

    def describe(self) -> str:
        """One line for the person at the terminal."""
        kinds: tuple[ChangeKind, ...] = ("added", "changed", "unchanged", "removed")
        counts = ", ".join(f"{kind}: {self.count(kind):,}" for kind in kinds)
        known = f" known: {self.known:,}," if self.known else ""
        read = f"Entries read: {self.read - self.known:,},{known} skipped: {self.skipped:,}."
        return f"{self.library}: papers {counts}. {read}"

    def details(self, *, in_full: bool = False) -> list[str]:
        """A line for each paper that changes or is doubtful, and what changes; in full, what is known of new ones."""
        lines = []
        for change in self.changes:
            if change.removed_by:
                lines.append(f"removed   {change.title}: 'papersite undo {change.removed_by}' brings it back")
            elif change.kind != "unchanged" or change.doubts or (in_full and change.notes):
                matched = f" (matched by {change.matched_by})" if change.matched_by else ""
                lines.append(f"{change.kind:9} {change.paper_id} {change.title}{matched}")
                lines += [f"    {field.describe()}" for field in change.fields]
                lines += [f"    {note}" for note in change.notes]
                if in_full and change.kind == "added":
                    lines += [f"    {line}" for line in change.describe_values()]
                lines += [f"    ? {doubt}" for doubt in change.doubts]
                lines += [f"      see {twin.paper_id}" for twin in change.twins]
        return lines
