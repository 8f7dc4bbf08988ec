"""Reads the changes proposed for a project's specs: why, what, how many tasks are done, and the deltas."""

import difflib
import re
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from specs.reading.catalogue import FileNotice, Spec, read_spec
from specs.reading.document import DELTA_SECTIONS, Rename, Requirement, Section
from specs.reading.files import Project, SpecFile, Stamp, UnreadableFile, find_specs, read_stamp, read_text
from specs.reading.outline import read_outline

TASK = re.compile(r"^[^\S\n]*[-*+][^\S\n]+\[( |x|X)\]\s", re.MULTILINE)
# The sections of a proposal, in English and in the format's Chinese edition.
_WHY, _WHAT = ("why", "为什么"), ("what changes", "变更内容")


class Delta(Struct, frozen=True):
    """What one file of a change does to one spec."""

    spec: Spec

    def in_section(self, section: Section) -> tuple[Requirement, ...]:
        return self.spec.document.in_section(section)

    @property
    def renames(self) -> tuple[Rename, ...]:
        return self.spec.document.renames

    @property
    def requirement_count(self) -> int:
        """How many requirements it touches."""
        return sum(len(self.in_section(section)) for section in DELTA_SECTIONS) + len(self.renames)


class Proposal(Struct, frozen=True):
    """The change in its author's words; empty where the file or the section is missing."""

    title: str
    why: str
    what: str

    @classmethod
    def of(cls, text: str) -> "Proposal":
        outline = read_outline(text)
        titles = (heading.title for heading in outline.headings if heading.level == 1)
        # Reversed, so that the first of two sections with the same title counts.
        sections = {heading.title.casefold(): outline.section_text(heading) for heading in reversed(outline.headings)}
        why, what = (next(filter(None, map(sections.get, names)), "") for names in (_WHY, _WHAT))
        return cls(next(titles, ""), why, what)


class Tasks(Struct, frozen=True):
    done: int
    total: int


class Change(Struct, frozen=True):
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
    folders: dict[str, Path] = {}
    for changes in project.change_folders:
        try:
            entries = list((changes / "archive" if archived else changes).iterdir())
        except OSError:
            continue
        for path in entries:
            if path.is_dir() and not path.is_symlink() and path.name != "archive" and path.name[0] != ".":
                folders.setdefault(path.name, path)
    return [_read_change(project, folders[name], archived) for name in sorted(folders)]


def _read_change(project: Project, folder: Path, archived: bool) -> Change:
    local_id = f"archive/{folder.name}" if archived else folder.name
    read = [
        (_cached_delta if file.stamp.is_settled() else _cached_delta.__wrapped__)(project, file)
        for file in find_specs(folder / "specs")
    ]
    proposal, tasks = _side_text(folder / "proposal.md"), TASK.findall(_side_text(folder / "tasks.md") or "")
    return Change(
        id=project.full_id(local_id),
        local_id=local_id,
        project=project.name,
        archived=archived,
        proposal=Proposal(folder.name, "", "") if proposal is None else Proposal.of(proposal),
        tasks=Tasks(done=sum(mark != " " for mark in tasks), total=len(tasks)),
        deltas=tuple(Delta(item) for item in read if isinstance(item, Spec)),
        unreadable=tuple(item for item in read if isinstance(item, FileNotice)),
    )


@lru_cache(maxsize=4096)
def _cached_delta(project: Project, file: SpecFile) -> Spec | FileNotice:
    return read_spec(project, file, delta=True)


def _side_text(path: Path) -> str | None:
    """None if there is no such file, or none that can be read."""
    stamp = read_stamp(path)
    if stamp is None:
        return None
    return _cached_text(path, stamp) if stamp.is_settled() else _cached_text.__wrapped__(path, stamp)


@lru_cache(maxsize=1024)
def _cached_text(path: Path, _stamp: Stamp) -> str | None:
    try:
        return read_text(path)[0]
    except UnreadableFile:
        return None


def former_requirement(item: Requirement, delta: Delta, spec: Spec) -> Requirement | None:
    """The requirement in force that a modified one replaces: of the same name, before or after a rename."""
    renamed = {rename.new: rename.old for rename in delta.renames}
    current = {requirement.name: requirement for requirement in spec.document.in_force}
    return current.get(item.name) or current.get(renamed.get(item.name, ""))


def difference(item: Requirement, former: Requirement) -> list[str]:
    """How a modified requirement differs from the one in force: lines that go (-), come (+), and one around each."""
    lines = difflib.unified_diff(_lines(former), _lines(item), n=1, lineterm="")
    return [line for line in lines if line[:3] not in ("---", "+++") and line[0] in "-+ "]


def _lines(item: Requirement) -> list[str]:
    """The lines of a requirement that are not blank: blank ones differ without meaning anything."""
    blocks = [item.text, *(f"#### Scenario: {scenario.name}\n{scenario.body}" for scenario in item.scenarios)]
    return [line.rstrip() for text in blocks for line in text.split("\n") if line.strip()]
