"""Parses one spec file: pure, lenient, never raising; whatever is odd becomes a notice with its line."""

import re
from dataclasses import dataclass, field

from msgspec.structs import replace

from specs.reading.clauses import read_clauses
from specs.reading.document import Notice, Rename, Requirement, Scenario, Section, SectionHeading, SpecDocument
from specs.reading.outline import (
    DELTA_TITLES,
    HEADING,
    PURPOSE_TITLES,
    REQUIREMENT_LABEL,
    REQUIREMENTS_TITLES,
    SCENARIO_LABEL,
    HeadingLine,
    Outline,
    read_outline,
)
from specs.reading.spec_kit import is_spec_kit, parse_spec_kit
from specs.reading.validation import whole_file_notices

REQUIREMENT = re.compile(rf"{REQUIREMENT_LABEL}(?=\S)", re.IGNORECASE)
SCENARIO = re.compile(SCENARIO_LABEL, re.IGNORECASE)
DELTA_HEADING = re.compile(r"(added|modified|removed|renamed)\s+requirements?")
# What stands after the name (blanks, quotes, stars) is stripped from it: matching it here would take quadratic time.
REMOVED = re.compile(rf"\s*[-*+]\s*[`*]*(?:###\s*)?{REQUIREMENT_LABEL}(?P<name>\S.*)", re.IGNORECASE)
RENAME = re.compile(
    r"\s*(?:[-*+]\s*)?\**(?P<side>FROM|TO)\**\s*[:：]\**\s*"
    rf"`?(?:###\s*)?(?:{REQUIREMENT_LABEL})?(?P<name>\S.*)",
    re.IGNORECASE,
)
# A file with more notices than these is no spec; the first ones say enough.
NOTICES = 100


def parse(text: str, fallback_title: str, *, delta: bool = False) -> SpecDocument:
    """Read a main spec of either kind, or with `delta` the file of a change, where delta sections are expected."""
    outline = read_outline(text)
    if not delta and is_spec_kit(outline):
        return _with_sections(parse_spec_kit(outline, fallback_title), outline)
    parser = _SpecParser(outline)
    ends = [*(heading.index for heading in outline.headings[1:]), len(outline.lines)]
    for heading, end in zip(outline.headings, ends, strict=False):  # without headings there still is an end
        parser.read_heading(heading, end)
    parser.close_requirement()
    document = parser.document(fallback_title)
    notices = [*document.notices, *whole_file_notices(document, outline, delta=delta)]
    document = replace(document, notices=tuple(sorted(notices, key=lambda notice: notice.line)[:NOTICES]))
    return document if delta else _with_sections(document, outline)


def parse_document(text: str, fallback_title: str) -> SpecDocument:
    """Read a plan, a list of tasks or a constitution, which state no requirements: by its sections."""
    outline = read_outline(text)
    title = next((heading.title for heading in outline.headings if heading.level == 1), fallback_title)
    return replace(_with_sections(SpecDocument(title, "", 0, (), (), (), (), kind="document"), outline), notices=())


def _with_sections(document: SpecDocument, outline: Outline) -> SpecDocument:
    """A document that leaves its template by its sections, so that it can be read and found."""
    if document.requirements or document.renames:
        return document
    ends = [*(heading.index for heading in outline.headings[1:]), len(outline.lines)]
    sections = [
        Requirement(heading.title, heading.index + 1, heading.level, "outside", text, ())
        for heading, end in zip(outline.headings, ends, strict=False)
        if heading.level > 1 and heading.index + 1 != document.purpose_line and heading.title
        if (text := outline.text(heading.index + 1, end).strip())
    ]
    if not sections:
        return document
    message = f"No requirement has a form that is known; the {len(sections)} sections are served in their place."
    notice = Notice("by_sections", sections[0].line, message)
    return replace(document, requirements=tuple(sections), by_sections=True, notices=(*document.notices, notice))


@dataclass
class _OpenRequirement:
    name: str
    heading: HeadingLine
    section: Section
    text: str
    scenarios: list[Scenario] = field(default_factory=list)

    def closed(self) -> Requirement:
        line, level = self.heading.index + 1, self.heading.level
        return Requirement(self.name, line, level, self.section, self.text, tuple(self.scenarios))


@dataclass
class _OpenScenario:
    heading: HeadingLine
    name: str
    end: int


@dataclass
class _SpecParser:
    """Reads the headings of a file from top to bottom, each with the lines up to the next one."""

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

    def notice(self, code: str, heading: HeadingLine, message: str) -> None:
        self.notices.append(Notice(code, heading.index + 1, message))

    def read_heading(self, heading: HeadingLine, end: int) -> None:
        if match := REQUIREMENT.match(heading.title):
            self._open_requirement(heading, heading.title[match.end() :], end)
        elif heading.level <= 2:
            self._open_section(heading)
        elif self.requirement and heading.level > self.requirement.heading.level:
            self._read_child(self.requirement, heading, end)
        else:
            self._read_other(heading, end)

    def _open_section(self, heading: HeadingLine) -> None:
        self.close_requirement()
        title = heading.title.casefold()
        self.section = _section_of(title)
        if self.section != "outside":
            self.sections.append(SectionHeading(self.section, heading.index + 1))
        if title in PURPOSE_TITLES and not self.purpose_line:
            self.purpose_line = heading.index + 1
            self.purpose = self.outline.section_text(heading)
        elif heading.level == 1 and not self.title:
            self.title = heading.title
        if self.section == "removed":
            for index in _section_lines(self.outline, heading):
                if match := REMOVED.match(self.outline.lines[index]):
                    name = match["name"].rstrip().rstrip("`*").rstrip()
                    self.requirements.append(Requirement(name, index + 1, 3, "removed", "", ()))
        elif self.section == "renamed":
            renames, notices = _read_renames(self.outline, heading)
            self.renames.extend(renames)
            self.notices.extend(notices)

    def _open_requirement(self, heading: HeadingLine, name: str, end: int) -> None:
        if self.section == "renamed":
            return
        self.close_requirement()
        if heading.level != 3:
            message = f"Requirement “{name}” is a level-{heading.level} heading; level 3 is expected."
            self.notice("heading_level", heading, message)
        if heading.index in self.outline.commented:
            self.notice("commented", heading, f"Requirement “{name}” is inside a comment, and still counts.")
        text = self.outline.text(heading.index + 1, end).strip()
        self.requirement = _OpenRequirement(name, heading, self.section, text)

    def _read_child(self, requirement: _OpenRequirement, heading: HeadingLine, end: int) -> None:
        """A heading below a requirement: a scenario, or a part of the one above."""
        if self.scenario and heading.level > self.scenario.heading.level:
            self.scenario.end = end
            return
        self._close_scenario()
        expected = requirement.heading.level + 1
        if heading.level != expected:
            message = f"“{heading.title}” is a level-{heading.level} heading; level {expected} is expected."
            self.notice("heading_level", heading, message)
        self.scenario = _OpenScenario(heading, SCENARIO.sub("", heading.title, count=1), end)

    def _read_other(self, heading: HeadingLine, end: int) -> None:
        """A heading of level 3 or below that is neither a requirement nor below one."""
        if SCENARIO.match(heading.title):
            message = f"“{heading.title}” belongs to no requirement, and is not counted."
            self.notice("stray_scenario", heading, message)
        elif heading.level == 3 and self.section == "requirements" and _is_scenario(self.outline, end):
            message = f"“{heading.title}” lacks the word “Requirement:”; it is served as one anyway."
            self.notice("stray_heading", heading, message)
            self._open_requirement(heading, heading.title, end)
        elif heading.level == 3:
            self.close_requirement()
            if self.section != "outside":
                message = f"“{heading.title}” is not a “Requirement:” heading; it is read as a divider."
                self.notice("stray_heading", heading, message)

    def _close_scenario(self) -> None:
        scenario, self.scenario = self.scenario, None
        if not scenario or not self.requirement:
            return
        body = self.outline.text(scenario.heading.index + 1, scenario.end)
        if not body.strip():
            message = f"Scenario “{scenario.name}” has no steps, and is not counted."
            self.notice("empty_scenario", scenario.heading, message)
            return
        preamble, clauses = read_clauses(body)
        self.requirement.scenarios.append(Scenario(scenario.name, scenario.heading.index + 1, body, preamble, clauses))

    def close_requirement(self) -> None:
        self._close_scenario()
        if self.requirement:
            self.requirements.append(self.requirement.closed())
            self.requirement = None

    def document(self, fallback_title: str) -> SpecDocument:
        return SpecDocument(
            title=self.title or fallback_title,
            purpose=self.purpose,
            purpose_line=self.purpose_line,
            requirements=tuple(self.requirements),
            renames=tuple(self.renames),
            notices=tuple(self.notices),
            sections=tuple(self.sections),
        )


def _section_of(title: str) -> Section:
    if title in REQUIREMENTS_TITLES:
        return "requirements"
    delta = DELTA_HEADING.fullmatch(title)
    named: Section = delta[1] if delta else "outside"  # type: ignore[assignment]  # the words are those of the type
    return DELTA_TITLES.get(title, named)


def _read_renames(outline: Outline, heading: HeadingLine) -> tuple[list[Rename], list[Notice]]:
    """A FROM followed by its TO is a rename; a line without its partner is a notice."""
    renames: list[Rename] = []
    notices: list[Notice] = []
    pending: tuple[str, int] | None = None
    for index in _section_lines(outline, heading):
        match = RENAME.match(outline.lines[index])
        if not match:
            continue
        name, line = match["name"].rstrip().removesuffix("`").rstrip(), index + 1
        if match["side"].upper() == "FROM":
            notices.extend([_unpaired("FROM", *pending)] if pending else [])
            pending = (name, line)
        elif pending:
            renames.append(Rename(pending[0], name, line))
            pending = None
        else:
            notices.append(_unpaired("TO", name, line))
    return renames, notices + ([_unpaired("FROM", *pending)] if pending else [])


def _unpaired(side: str, name: str, line: int) -> Notice:
    partner = "TO" if side == "FROM" else "FROM"
    return Notice("unpaired_rename", line, f"{side}: “{name}” has no {partner}: line; it is left out.")


def _section_lines(outline: Outline, heading: HeadingLine) -> list[int]:
    end = outline.section_end(heading)
    return [index for index in range(heading.index + 1, end) if index not in outline.fenced]


def _is_scenario(outline: Outline, index: int) -> bool:
    match = HEADING.match(outline.lines[index]) if index < len(outline.lines) else None
    return bool(match and len(match[1]) == 4 and SCENARIO.match(match[2]))
