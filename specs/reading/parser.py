"""Reads one spec file: pure, lenient, never raising; what is odd becomes a notice with its line."""

import re
from dataclasses import dataclass, field, replace

from specs.reading.clauses import read_clauses
from specs.reading.document import Document, Notice, Rename, Requirement, Scenario, Section, SectionHeading
from specs.reading.notices import whole_file_notices
from specs.reading.outline import HEADING, Heading, Outline, read_outline
from specs.reading.removals import read_removed, read_renames

REQUIREMENT = re.compile(r"Requirement\s*[:：]\s*(?=\S)", re.IGNORECASE)
SCENARIO = re.compile(r"Scenario\s*[:：]\s*", re.IGNORECASE)
DELTA = re.compile(r"(ADDED|MODIFIED|REMOVED|RENAMED)\s+Requirements?", re.IGNORECASE)
# A file with more than these is no spec; the first ones say enough.
NOTICES = 100


def parse(text: str, fallback_title: str, *, delta: bool = False) -> Document:
    """Read a main spec, or with `delta` the file of a change, where delta sections are expected."""
    outline = read_outline(text)
    reading = _Reading(outline)
    for heading, end in _with_ends(outline):
        reading.take(heading, end)
    reading.close()
    document = reading.document(fallback_title)
    notices = [*document.notices, *whole_file_notices(document, outline, delta=delta)]
    return replace(document, notices=tuple(sorted(notices, key=lambda notice: notice.line)[:NOTICES]))


def _with_ends(outline: Outline) -> list[tuple[Heading, int]]:
    """Each heading with the index of the line where the next one starts."""
    ends = [heading.index for heading in outline.headings[1:]] + [len(outline.lines)]
    return list(zip(outline.headings, ends, strict=False))


@dataclass
class _OpenRequirement:
    name: str
    heading: Heading
    section: Section
    text: str
    scenarios: list[Scenario] = field(default_factory=list)

    def closed(self) -> Requirement:
        return Requirement(
            self.name,
            self.heading.index + 1,
            self.heading.level,
            self.section,
            self.text,
            tuple(self.scenarios),
        )


@dataclass
class _OpenScenario:
    heading: Heading
    name: str
    end: int


@dataclass
class _Reading:
    """The state while walking over a file's headings from top to bottom."""

    outline: Outline
    title: str = ""
    purpose: str = ""
    purpose_line: int = 0
    section: Section = "outside"
    sections: list[SectionHeading] = field(default_factory=list)
    requirement: _OpenRequirement | None = None
    scenario: _OpenScenario | None = None
    requirements: list[Requirement] = field(default_factory=list)
    renames: list[Rename] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def notice(self, code: str, index: int, message: str) -> None:
        self.notices.append(Notice(code, index + 1, message))

    def take(self, heading: Heading, end: int) -> None:
        if match := REQUIREMENT.match(heading.title):
            self._open_requirement(heading, heading.title[match.end() :], end)
        elif heading.level <= 2:
            self._open_section(heading, end)
        elif self.requirement and heading.level > self.requirement.heading.level:
            self._take_child(self.requirement, heading, end)
        else:
            self._take_stray(heading, end)

    def _open_section(self, heading: Heading, end: int) -> None:
        self.close()
        folded = heading.title.casefold()
        delta = DELTA.fullmatch(heading.title)
        if delta:
            self.section = _section(delta[1])
        else:
            self.section = "requirements" if folded == "requirements" else "outside"
        if self.section != "outside":
            self.sections.append(SectionHeading(self.section, heading.index + 1))
        if folded == "purpose" and not self.purpose_line:
            self._read_purpose(heading)
        elif heading.level == 1 and not self.title:
            self.title = heading.title
        self._read_bullets(heading)

    def _read_purpose(self, heading: Heading) -> None:
        end = self.outline.section_end(heading)
        self.purpose_line = heading.index + 1
        self.purpose = self.outline.text(heading.index + 1, end).strip()

    def _read_bullets(self, heading: Heading) -> None:
        """Removals written as bullets, and renames: they have no headings of their own."""
        if self.section == "removed":
            self.requirements.extend(read_removed(self.outline, heading))
        elif self.section == "renamed":
            renames, notices = read_renames(self.outline, heading)
            self.renames.extend(renames)
            self.notices.extend(notices)

    def _open_requirement(self, heading: Heading, name: str, end: int) -> None:
        if self.section == "renamed":
            return
        self.close()
        if heading.level != 3:
            message = f"Requirement “{name}” is a level-{heading.level} heading; level 3 is expected."
            self.notice("heading_level", heading.index, message)
        if heading.index in self.outline.commented:
            self.notice("commented", heading.index, f"Requirement “{name}” stands in a comment, and still counts.")
        text = self.outline.text(heading.index + 1, end).strip()
        self.requirement = _OpenRequirement(name, heading, self.section, text)

    def _take_child(self, requirement: _OpenRequirement, heading: Heading, end: int) -> None:
        if self.scenario and heading.level > self.scenario.heading.level:
            self.scenario.end = end
            return
        self._close_scenario()
        expected = requirement.heading.level + 1
        if heading.level != expected:
            message = f"“{heading.title}” is a level-{heading.level} heading; level {expected} is expected."
            self.notice("heading_level", heading.index, message)
        self.scenario = _OpenScenario(heading, SCENARIO.sub("", heading.title, count=1), end)

    def _take_stray(self, heading: Heading, end: int) -> None:
        """A heading that is neither a requirement nor below one."""
        if SCENARIO.match(heading.title):
            message = f"“{heading.title}” belongs to no requirement, and is not counted."
            self.notice("stray_scenario", heading.index, message)
        elif heading.level == 3 and self.section == "requirements" and self._scenario_follows(end):
            message = f"“{heading.title}” lacks the word “Requirement:”; it is served as one anyway."
            self.notice("stray_heading", heading.index, message)
            self._open_requirement(heading, heading.title, end)
        elif heading.level == 3:
            self.close()
            if self.section != "outside":
                message = f"“{heading.title}” is not a “Requirement:” heading; it is read as a divider."
                self.notice("stray_heading", heading.index, message)

    def _scenario_follows(self, index: int) -> bool:
        match = HEADING.match(self.outline.lines[index]) if index < len(self.outline.lines) else None
        return bool(match and len(match[1]) == 4 and SCENARIO.match(match[2]))

    def _close_scenario(self) -> None:
        scenario, self.scenario = self.scenario, None
        if not scenario or not self.requirement:
            return
        body = self.outline.text(scenario.heading.index + 1, scenario.end)
        if not body.strip():
            message = f"Scenario “{scenario.name}” has no steps, and is not counted."
            self.notice("empty_scenario", scenario.heading.index, message)
            return
        preamble, clauses = read_clauses(body)
        self.requirement.scenarios.append(Scenario(scenario.name, scenario.heading.index + 1, body, preamble, clauses))

    def close(self) -> None:
        self._close_scenario()
        if self.requirement:
            self.requirements.append(self.requirement.closed())
            self.requirement = None

    def document(self, fallback_title: str) -> Document:
        return Document(
            title=self.title or fallback_title,
            purpose=self.purpose,
            purpose_line=self.purpose_line,
            requirements=tuple(self.requirements),
            renames=tuple(self.renames),
            notices=tuple(self.notices),
            sections=tuple(self.sections),
        )


def _section(word: str) -> Section:
    sections: dict[str, Section] = {
        "ADDED": "added",
        "MODIFIED": "modified",
        "REMOVED": "removed",
        "RENAMED": "renamed",
    }
    return sections[word.upper()]
