"""Reads the specs of GitHub Spec Kit into the same model: user stories, acceptance scenarios, FR and SC numbers.

A story is a requirement with its acceptance scenarios; each FR and SC is a requirement of its own, named by its number.
"""

import re
from collections.abc import Iterator
from itertools import takewhile

from msgspec.structs import replace

from specs.reading.clauses import read_clauses
from specs.reading.document import Notice, Requirement, Scenario, SectionHeading, SpecDocument
from specs.reading.outline import HeadingLine, Outline

TITLE = re.compile(r"Feature Specification\s*[:：]\s*", re.IGNORECASE)
STORIES, REQUIREMENTS, CRITERIA = "user scenarios", "requirements", "success criteria"
SECTIONS = (STORIES, REQUIREMENTS, CRITERIA)
PRIORITY = re.compile(r"\(Priority:[^()]{0,40}\)", re.IGNORECASE)
NUMBERED = re.compile(
    r"[ \t]{0,3}[-*+][ \t]{1,4}\*{0,2}(?P<name>(?:N?FR|SC)(?:-[A-Z]{1,12})?-[0-9]{1,5}[a-z]?)"
    r"\*{0,2}[:：]?\*{0,2}(?P<text>.*)"
)
INPUT = re.compile(r"\*\*Input\*\*\s?[:：]\s?(?:User description[:：]\s?)?(?P<text>.+)", re.IGNORECASE)
ACCEPTANCE = re.compile(r"\*{0,2}Acceptance Scenarios?", re.IGNORECASE)
ITEM = re.compile(r"[ \t]{0,3}(?:[0-9]{1,3}[.)]|[-*+])[ \t]{1,4}(?P<text>.*)")
BOLD_STEP = re.compile(r"\*\*(Given|When|Then|And|But)\*\*", re.IGNORECASE)
PLAIN_STEP = re.compile(r"(?:^|, )(Given|When|Then|And|But) ")
UNCLEAR = "[NEEDS CLARIFICATION"
NAME_CHARS = 80


def is_spec_kit(outline: Outline) -> bool:
    titles = [heading for heading in outline.headings if heading.level <= 2]
    return any(TITLE.match(item.title) or item.title.casefold().startswith(STORIES) for item in titles)


def parse_spec_kit(outline: Outline, fallback_title: str) -> SpecDocument:
    ends = [*(heading.index for heading in outline.headings[1:]), len(outline.lines)]
    section, sections = "", list[SectionHeading]()
    requirements: list[Requirement] = []
    for heading, end in zip(outline.headings, ends, strict=True):
        if heading.level <= 2:
            section = next((name for name in SECTIONS if heading.title.casefold().startswith(name)), "")
            if section:
                sections.append(
                    SectionHeading("requirements" if section == REQUIREMENTS else "outside", heading.index + 1)
                )
        if section == STORIES and heading.level >= 3:
            _read_story_heading(outline, heading, end, requirements)
        elif section in (REQUIREMENTS, CRITERIA):
            requirements += _numbered(outline, heading, end)
    purpose, line = _purpose(outline)
    title = next((heading.title for heading in outline.headings if heading.level == 1), fallback_title)
    document = SpecDocument(
        TITLE.sub("", title, count=1), purpose, line, tuple(requirements), (), (), tuple(sections), kind="spec_kit"
    )
    return replace(document, notices=tuple(_notices(document, outline)))


def _purpose(outline: Outline) -> tuple[str, int]:
    """What the person asked for, which Spec Kit keeps above the first section."""
    end = next((heading.index for heading in outline.headings if heading.level == 2), len(outline.lines))
    for index in range(end):
        if match := INPUT.match(outline.lines[index].strip()):
            return match["text"].strip().strip('"“”'), index + 1
    return "", 0


def _read_story_heading(outline: Outline, heading: HeadingLine, end: int, found: list[Requirement]) -> None:
    """A story, or the acceptance scenarios of the one before under a heading of their own."""
    title = PRIORITY.sub("", heading.title).strip()
    if title.casefold().startswith("edge cases"):
        return
    if ACCEPTANCE.match(title) or heading.level > 3:
        if found and found[-1].scenarios == ():
            found[-1] = replace(found[-1], scenarios=tuple(_scenarios(outline, heading.index + 1, end)))
        return
    inner = range(heading.index + 1, end)
    start = next((index for index in inner if ACCEPTANCE.match(outline.lines[index].strip())), end)
    text, scenarios = outline.text(heading.index + 1, start).strip(), tuple(_scenarios(outline, start + 1, end))
    found.append(Requirement(title, heading.index + 1, heading.level, "requirements", text, scenarios))


def _scenarios(outline: Outline, start: int, end: int) -> Iterator[Scenario]:
    """Each item of the list, with the lines that belong to it."""
    starts = [index for index in range(start, end) if index not in outline.fenced and ITEM.match(outline.lines[index])]
    for number, (first, last) in enumerate(zip(starts, [*starts[1:], end], strict=False), 1):
        body = outline.text(first, last)
        item = ITEM.match(body)
        steps = item["text"] + body[item.end() :] if item else body
        # `**Given** a, **When** b, **Then** c` gets a line for each step.
        if not BOLD_STEP.search(steps):
            steps = PLAIN_STEP.sub(r"\n**\1** ", steps)
        lines = BOLD_STEP.sub(r"\n**\1**", steps).split("\n")
        preamble, clauses = read_clauses("\n".join(line.rstrip(" ,\t") for line in lines).strip())
        said = next((clause.text for clause in clauses if clause.role == "when"), preamble).partition("\n")[0]
        name = f"Scenario {number}: {said[:NAME_CHARS]}" if said else f"Scenario {number}"
        yield Scenario(name, first + 1, body, preamble, clauses)


def _numbered(outline: Outline, heading: HeadingLine, end: int) -> Iterator[Requirement]:
    lines = outline.lines
    skipped = outline.fenced | outline.commented
    items = [
        (index, match)
        for index in range(heading.index + 1, end)
        if index not in skipped and (match := NUMBERED.match(lines[index]))
    ]
    for (index, match), last in zip(items, [*(index for index, _ in items[1:]), end], strict=False):
        # The lines after an item that are indented below it.
        rest = "\n".join(takewhile(lambda line: line.startswith((" ", "\t")), lines[index + 1 : last]))
        text = "\n".join(filter(None, (match["text"].strip(), rest)))
        yield Requirement(match["name"], index + 1, 3, "requirements", text, ())


def _notices(document: SpecDocument, outline: Outline) -> Iterator[Notice]:
    seen: dict[str, int] = {}
    for item in document.requirements:
        if item.name in seen:
            message = f"“{item.name}” is already on line {seen[item.name]}; both are served."
            yield Notice("duplicate_requirement", item.line, message)
        seen.setdefault(item.name, item.line)
        if not item.scenarios and not NUMBERED.match(f"- {item.name}"):
            yield Notice("no_scenarios", item.line, f"“{item.name}” has no acceptance scenario.")
    for index, line in enumerate(outline.lines):
        if UNCLEAR in line and index not in outline.commented:
            yield Notice("needs_clarification", index + 1, "Something here still needs clarification.")
