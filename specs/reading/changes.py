"""Reads the changes proposed for a project's specs: why, what, how far, and the deltas by kind."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from specs.reading.catalogue import UNSETTLED_NS, FileNotice, Spec, read_spec
from specs.reading.document import Rename, Requirement, Section
from specs.reading.files import Found, Stamp, Unreadable, find_specs, read_text, stamp
from specs.reading.outline import read_outline
from specs.reading.projects import Project

TASK = re.compile(r"^\s*[-*+]\s+\[( |x|X)\]\s", re.MULTILINE)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Delta:
    """What one file of a change does to one spec."""

    spec: Spec

    def of(self, section: Section) -> tuple[Requirement, ...]:
        return self.spec.document.of(section)

    @property
    def renames(self) -> tuple[Rename, ...]:
        return self.spec.document.renames


@dataclass(frozen=True, slots=True)
class Proposal:
    """The change in its author's words; empty where the file or the section is missing."""

    title: str
    why: str
    what: str


@dataclass(frozen=True, slots=True)
class Tasks:
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Change:
    """`id` is what callers use; `local_id` the folder below `changes/`."""

    id: str
    local_id: str
    project: str
    archived: bool
    proposal: Proposal
    tasks: Tasks
    deltas: tuple[Delta, ...]
    unreadable: tuple[FileNotice, ...]


def read_changes(project: Project, *, archived: bool = False) -> list[Change]:
    """The open changes of a project, or those already archived, by name."""
    folder = project.changes / "archive" if archived else project.changes
    return [_read_change(project, path, archived) for path in _folders(folder)]


def _folders(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    return [
        path
        for path in entries
        if path.is_dir() and not path.is_symlink() and path.name != "archive" and path.name[0] != "."
    ]


def _read_change(project: Project, folder: Path, archived: bool) -> Change:
    local_id = f"archive/{folder.name}" if archived else folder.name
    read = [_read_delta(project, found) for found in find_specs(folder / "specs")]
    return Change(
        id=project.full_id(local_id),
        local_id=local_id,
        project=project.name,
        archived=archived,
        proposal=_kept(folder / "proposal.md", _read_proposal) or Proposal(folder.name, "", ""),
        tasks=_kept(folder / "tasks.md", _read_tasks) or Tasks(0, 0),
        deltas=tuple(Delta(item) for item in read if isinstance(item, Spec)),
        unreadable=tuple(item for item in read if isinstance(item, FileNotice)),
    )


def _settled(modified_ns: int) -> bool:
    return time.time_ns() - modified_ns > UNSETTLED_NS


def _read_delta(project: Project, found: Found) -> Spec | FileNotice:
    read = _kept_delta if _settled(found.stamp.modified_ns) else _kept_delta.__wrapped__
    return read(project, found)


@lru_cache(maxsize=4096)
def _kept_delta(project: Project, found: Found) -> Spec | FileNotice:
    return read_spec(project, found, delta=True)


def _kept(path: Path, read: Callable[[str], T]) -> T | None:
    """What a side file says, read again only when it changed; None if there is no such file."""
    current = stamp(path)
    if current is None:
        return None
    kept = _kept_text if _settled(current.modified_ns) else _kept_text.__wrapped__
    text = kept(path, current)
    return None if text is None else read(text)


@lru_cache(maxsize=1024)
def _kept_text(path: Path, _stamp: Stamp) -> str | None:
    try:
        return read_text(path)[0]
    except Unreadable:
        return None


def _read_proposal(text: str) -> Proposal:
    outline = read_outline(text)
    titles = (heading.title for heading in outline.headings if heading.level == 1)
    sections = {
        heading.title.casefold(): outline.text(heading.index + 1, outline.section_end(heading)).strip()
        for heading in reversed(outline.headings)
    }
    return Proposal(next(titles, ""), sections.get("why", ""), sections.get("what changes", ""))


def _read_tasks(text: str) -> Tasks:
    marks = TASK.findall(text)
    return Tasks(done=sum(mark != " " for mark in marks), total=len(marks))
