"""Which requirements and scenarios have a test that is marked with their name, and which have none."""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from specs import core
from specs.reading.catalogue import Spec, current_catalogue
from specs.reading.document import Requirement
from specs.reading.files import Project
from specs.reading.marked_tests import TestPlace, marked_tests, normal_name


class ScenarioTests(Struct, frozen=True):
    name: str
    tests: list[TestPlace]


class RequirementTests(Struct, frozen=True):
    """`tests` are marked with the requirement itself."""

    spec: Spec
    name: str
    tests: list[TestPlace]
    scenarios: list[ScenarioTests]

    @property
    def is_verified(self) -> bool:
        return bool(self.tests) or any(scenario.tests for scenario in self.scenarios)


def tests_of_spec(spec: Spec) -> list[RequirementTests] | None:
    """The tests of each requirement of a spec; None if nobody knows where the tests of its project are."""
    (project,) = core.select_projects(spec.project)
    tests = _tests_of_project(project)
    return None if tests is None else tests.of_spec(spec)


def tests_of_projects(name: str | None) -> list[RequirementTests] | None:
    """The same for every spec of one project or of all whose tests are known; None if there is none."""
    projects = core.select_projects(name)
    known = [(project, tests) for project in projects if (tests := _tests_of_project(project))]
    rows = [
        row
        for project, tests in known
        for spec in current_catalogue(project).specs.values()
        for row in tests.of_spec(spec)
    ]
    return rows if known else None


class ProjectTests(Struct, frozen=True):
    """The tests of a project by the names they are marked with, and how many things of its specs each name may mean."""

    by_name: dict[str, list[TestPlace]]
    meanings: Counter[str]

    def of_spec(self, spec: Spec) -> list[RequirementTests]:
        """None for a spec of sections alone: nobody tests these."""
        return [self._of_requirement(spec, item) for item in _tested(spec)]

    def _of_requirement(self, spec: Spec, item: Requirement) -> RequirementTests:
        scenarios = [
            ScenarioTests(scenario.name, self._of(spec.local_id, item.name, scenario.name))
            for scenario in item.scenarios
        ]
        return RequirementTests(spec, item.name, self._of(spec.local_id, item.name), scenarios)

    def _of(self, *path: str) -> list[TestPlace]:
        """What is marked with one of the names of this path that mean nothing else."""
        places = {place for name in _names(path) if self.meanings[name] == 1 for place in self.by_name.get(name, ())}
        return sorted(places, key=str)


def _tests_of_project(project: Project) -> ProjectTests | None:
    by_name = marked_tests(project)
    if by_name is None:
        return None
    specs = current_catalogue(project).specs.values()
    paths = {path for spec in specs for item in _tested(spec) for path in _paths(spec, item)}
    return ProjectTests(by_name, Counter(name for path in paths for name in set(_names(path))))


def _tested(spec: Spec) -> tuple[Requirement, ...]:
    return () if spec.document.by_sections else spec.document.in_force


def _paths(spec: Spec, item: Requirement) -> Iterator[tuple[str, ...]]:
    yield spec.local_id, item.name
    for scenario in item.scenarios:
        yield spec.local_id, item.name, scenario.name


def _names(path: tuple[str, ...]) -> list[str]:
    """What a mark may say: `spec / requirement / scenario`, or without what comes first."""
    return [normal_name(" / ".join(path[start:])) for start in range(len(path))]
