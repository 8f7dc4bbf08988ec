"""Finds the tests of a project, and the requirements and scenarios that they are marked with.

A test is marked by a name that it carries: pytest's `@pytest.mark.scenario("...")`, the title of a Jest or Vitest test,
a subtest of Go, a scenario of Gherkin, `Scenario: ...` in a comment, or as the setting of marks says. Whether it passes
is not known here.
"""

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from msgspec import Struct

from specs.reading.files import Project, Stamp, UnreadableFile, read_setting, read_stamp, read_text

# Files that are looked at; a folder of more is not one of tests.
TEST_FILES = 20_000
_SKIPPED = {"node_modules", "vendor", "dist", "build", "target", "__pycache__"}
_TEST_FOLDERS = ("tests", "test", "Tests")
_TEST_FILE = re.compile(
    r"(?:test_.*|.*_test)\.py|.*[._-](?:test|spec)\.[cm]?[jt]sx?|.*_test\.(?:go|rs|rb|exs)|.*_spec\.rb|.*\.feature"
    r"|.*Tests?\.(?:swift|kt|java|cs|php)"
)
_TEXT = r"(?P<quote>[\"'`])(?P<name>(?:(?!(?P=quote))[^\n\\]|\\.)+)(?P=quote)"
_MARKS = (
    re.compile(rf"@pytest\.mark\.(?:scenario|requirement|spec)\(\s*{_TEXT}"),
    re.compile(rf"\b(?:it|test|describe)(?:\.\w{1, 30}){{0,3}}\(\s{{0,80}}{_TEXT}"),
    re.compile(rf"\bt\.Run\(\s*{_TEXT}"),
    re.compile(r"(?:^|[#/*;-])[ \t]*(?:Scenario|Requirement)(?: Outline)?:[ \t]*(?P<name>\S[^\n]*)", re.MULTILINE),
)


class TestPlace(Struct, frozen=True):
    """A test, relative to the folder of tests, and the line of its mark."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def normal_name(name: str) -> str:
    return " ".join(name.strip(" .").casefold().split())


def marked_tests(project: Project) -> dict[str, list[TestPlace]] | None:
    """The tests of a project as they are now, by the name they are marked with as `normal_name` writes it.

    None if there is no folder of tests.
    """
    folder = _folder_of_tests(project)
    if folder is None:
        return None
    by_name: dict[str, list[TestPlace]] = {}
    marks = tuple(settings.SPEC_TEST_MARKS)
    for path in _test_files(folder):
        stamp = read_stamp(path)
        if stamp is None:
            continue
        read = _marks_of if stamp.is_settled() else _marks_of.__wrapped__
        for name, line in read(path, stamp, marks):
            by_name.setdefault(name, []).append(TestPlace(path.relative_to(folder).as_posix(), line))
    return by_name


def _folder_of_tests(project: Project) -> Path | None:
    """The one that the setting names; without the setting, `tests` beside the project's `openspec`."""
    if settings.SPEC_TESTS is None:
        homes = [home for home in project.homes if home.name == "openspec"]
        beside = [home.parent / name for home in homes for name in _TEST_FOLDERS]
        return next(filter(Path.is_dir, beside), None)
    folders = {named.name: named.folder for named in read_setting(settings.SPEC_TESTS)}
    return folders.get(project.name) or (next(iter(folders.values()), None) if not project.prefixed else None)


def _test_files(folder: Path) -> Iterator[Path]:
    seen = 0
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        for name in sorted(files):
            if _TEST_FILE.fullmatch(name):
                seen += 1
                if seen > TEST_FILES:
                    return
                yield Path(parent, name)


@lru_cache(maxsize=TEST_FILES)
def _marks_of(path: Path, _stamp: Stamp, own_marks: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    try:
        text, _ = read_text(path)
    except UnreadableFile:
        return ()
    return tuple(
        (normal_name(found["name"].replace("\\", "")), text.count("\n", 0, found.start("name")) + 1)
        for pattern in (*_MARKS, *map(_own_mark, own_marks))
        for found in pattern.finditer(text)
    )


def _own_mark(mark: str) -> re.Pattern[str]:
    """The name is what stands up to the text after it, or to the end of the line."""
    before, after = map(re.escape, mark.split("{name}"))
    return re.compile(rf"{before}(?P<name>[^\n]{{1,500}}?){after or '$'}", re.MULTILINE)
