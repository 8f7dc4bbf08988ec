"""Reads the requirement documents, the tests' scenario marks and the list of scenarios still to be shown."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).parent
SPECS = TESTS.parent / "openspec" / "specs"
PENDING = TESTS / "pending_scenarios.txt"

_FENCE = re.compile(r"^(`{3,}|~{3,})")
_REQUIREMENT = re.compile(r"^### Requirement: (\S.*)$")
_SCENARIO = re.compile(r"^#### Scenario: (\S.*)$")


@dataclass
class StatedRequirement:
    """One requirement as its document states it."""

    spec_id: str
    name: str
    text: str = ""
    scenarios: dict[str, str] = field(default_factory=dict)

    def scenario_names(self) -> list[str]:
        return [f"{self.spec_id} / {self.name} / {scenario}" for scenario in self.scenarios]


def requirements() -> list[StatedRequirement]:
    return [found for path in sorted(SPECS.rglob("spec.md")) for found in read_spec(path)]


def read_spec(path: Path) -> list[StatedRequirement]:
    spec_id = path.parent.relative_to(SPECS).as_posix()
    found: list[StatedRequirement] = []
    scenario = ""
    for line in _lines_without_fences(path.read_text(encoding="utf-8")):
        if match := _REQUIREMENT.match(line):
            found.append(StatedRequirement(spec_id, match[1]))
            scenario = ""
        elif match := _SCENARIO.match(line):
            scenario = match[1]
            assert scenario not in found[-1].scenarios, f"{path}: {scenario} is there twice"
            found[-1].scenarios[scenario] = ""
        elif scenario:
            found[-1].scenarios[scenario] += line + "\n"
        elif found:
            found[-1].text += line + "\n"
    return found


def _lines_without_fences(text: str) -> Iterator[str]:
    fence = ""
    for line in text.splitlines():
        opening = _FENCE.match(line)
        if fence:
            fence = "" if opening and opening[1].startswith(fence) and line.strip() == opening[1] else fence
        elif opening:
            fence = opening[1]
        else:
            yield line


def marks() -> dict[str, str]:
    """Scenario name to the place of a test that shows it, read from the text: no collection needed."""
    return {name: place for path in sorted(TESTS.rglob("*.py")) for name, place in _marks_in(path)}


def _marks_in(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.scenario":
            place = f"{path.relative_to(TESTS.parent)}:{node.lineno}"
            match node.args:
                case [ast.Constant(value=str(name))]:
                    yield name, place
                case _:
                    raise AssertionError(f"{place}: a scenario mark takes one plain string")


def pending() -> list[str]:
    return PENDING.read_text(encoding="utf-8").splitlines()
