"""Which requirements and scenarios have a test that is marked with their name, and which have none."""

from msgspec import Struct

from specs import core
from specs.reading.catalogue import Spec, current_catalogue
from specs.reading.document import Requirement
from specs.reading.marked_tests import MarkedTests, TestPlace, marked_tests


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
    """The tests of each requirement of a spec; None if its project names no folder of tests."""
    (project,) = core.select_projects(spec.project)
    found = marked_tests(project)
    return None if found is None else _tests_of_all(spec, found)


def tests_of_projects(name: str | None) -> list[RequirementTests] | None:
    """The same for every spec of one project or of all that name a folder of tests; None if none does."""
    rows: list[RequirementTests] = []
    is_named = False
    for project in core.select_projects(name):
        found = marked_tests(project)
        if found is not None:
            is_named = True
            rows += [row for spec in current_catalogue(project).specs.values() for row in _tests_of_all(spec, found)]
    return rows if is_named else None


def _tests_of_all(spec: Spec, found: MarkedTests) -> list[RequirementTests]:
    """None for a spec of sections alone: nobody tests these."""
    return [] if spec.document.by_sections else [_tests_of(spec, item, found) for item in spec.document.in_force]


def _tests_of(spec: Spec, item: Requirement, found: MarkedTests) -> RequirementTests:
    scenarios = [
        ScenarioTests(scenario.name, found.of(spec.local_id, item.name, scenario.name)) for scenario in item.scenarios
    ]
    return RequirementTests(spec, item.name, found.of(spec.local_id, item.name), scenarios)
