"""Turns parsed specs and changes into what the tools return."""

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from papercore import limits
from papercore.text import truncate
from specs.reading.catalogue import Spec
from specs.reading.changes import Change, Delta, difference, former_requirement
from specs.reading.document import Notice, Requirement, Scenario, Section, excerpt
from specs.schemas import (
    ChangeDetails,
    ChangedRequirement,
    ChangeSummary,
    FullRequirement,
    FullSpec,
    RenamedRequirement,
    RequirementSummary,
    ScenarioText,
    SpecRequirements,
    SpecSummary,
    TestedRequirement,
    TestedScenario,
    Verification,
)
from specs.verification import RequirementTests

# An index of all specs stays readable when each purpose is at most this long.
PURPOSE_CHARS = 300
# A requirement's text in an overview of its spec; get_scenario returns it whole.
DESCRIPTION_CHARS = 2_000
# Requirements in one answer about tests.
VERIFICATION_ROWS = 100
# list_specs asks for thousands at once, and few of them ever change.
_summaries: WeakKeyDictionary[Spec, SpecSummary] = WeakKeyDictionary()


def spec_summary(spec: Spec) -> SpecSummary:
    summary = _summaries.get(spec)
    if summary is None:
        summary = _summaries[spec] = SpecSummary(
            id=spec.id,
            title=spec.document.title,
            purpose=short_purpose(spec),
            requirement_count=spec.document.requirement_count,
        )
    return summary


def short_purpose(spec: Spec) -> str:
    return excerpt(spec.document.purpose, PURPOSE_CHARS)


def spec_requirements(spec: Spec) -> SpecRequirements:
    return SpecRequirements(
        spec_id=spec.id,
        title=spec.document.title,
        purpose=spec.document.purpose,
        requirements=[
            RequirementSummary(
                name=item.name,
                description=truncate(item.text, DESCRIPTION_CHARS),
                scenario_count=len(item.scenarios),
                scenarios=[scenario.name for scenario in item.scenarios],
            )
            for item in spec.document.in_force
        ],
        warnings=warnings(spec),
    )


def warnings(spec: Spec) -> list[str]:
    return [warning(spec.file, notice) for notice in spec.document.notices]


def warning(file: str, notice: Notice) -> str:
    return f"{file}, line {notice.line}: {notice.message}"


def scenario_text(scenario: Scenario) -> ScenarioText:
    return ScenarioText(
        name=scenario.name,
        given=scenario.texts("given"),
        when="\nAND ".join(scenario.texts("when")),
        then=scenario.texts("then"),
        body=truncate(scenario.body, limits.TEXT_CHARS),
    )


def full_spec(spec: Spec) -> FullSpec:
    return FullSpec(
        spec_id=spec.id,
        title=spec.document.title,
        purpose=spec.document.purpose,
        requirements=[
            FullRequirement(
                name=item.name,
                description=item.text,
                scenarios=[scenario_text(scenario) for scenario in item.scenarios],
            )
            for item in spec.document.in_force
        ],
        warnings=warnings(spec),
    )


def verification(rows: list[RequirementTests], untested_only: bool) -> Verification:
    """Counts over all rows; of those listed, the untested alone have only their untested scenarios."""
    scenarios = [scenario for row in rows for scenario in row.scenarios]
    listed = [
        TestedRequirement(
            spec_id=row.spec.id,
            requirement=row.name,
            tests=[str(place) for place in row.tests],
            scenarios=[
                TestedScenario(name=scenario.name, tests=[str(place) for place in scenario.tests])
                for scenario in row.scenarios
                if not (untested_only and scenario.tests)
            ],
        )
        for row in rows
        if not untested_only or not row.is_verified or any(not scenario.tests for scenario in row.scenarios)
    ]
    return Verification(
        requirements=len(rows),
        verified=sum(row.is_verified for row in rows),
        scenarios=len(scenarios),
        scenarios_with_test=sum(bool(scenario.tests) for scenario in scenarios),
        listed=listed[:VERIFICATION_ROWS],
        omitted=max(0, len(listed) - VERIFICATION_ROWS),
    )


def change_summary(change: Change) -> ChangeSummary:
    def count(section: Section) -> int:
        return sum(len(delta.in_section(section)) for delta in change.deltas)

    return ChangeSummary(
        id=change.id,
        project=change.project,
        title=change.proposal.title or change.id,
        archived=change.archived,
        tasks_done=change.tasks.done,
        tasks_total=change.tasks.total,
        specs=[delta.spec.id for delta in change.deltas],
        added=count("added"),
        modified=count("modified"),
        removed=count("removed"),
        renamed=sum(len(delta.renames) for delta in change.deltas),
    )


def change_details(change: Change, specs: Mapping[str, Spec]) -> ChangeDetails:
    """`specs` are those of the project by local id, against which a modified requirement is shown."""
    return ChangeDetails(
        **change_summary(change).model_dump(),
        why=change.proposal.why,
        what_changes=change.proposal.what,
        purposes={
            delta.spec.id: delta.spec.document.purpose
            for delta in change.deltas
            if delta.spec.document.purpose and delta.spec.local_id not in specs
        },
        added_requirements=_changed_requirements(change.deltas, "added", specs),
        modified_requirements=_changed_requirements(change.deltas, "modified", specs),
        removed_requirements=_changed_requirements(change.deltas, "removed", specs),
        renamed_requirements=[
            RenamedRequirement(spec_id=delta.spec.id, old_name=rename.old, new_name=rename.new)
            for delta in change.deltas
            for rename in delta.renames
        ],
        warnings=[
            *(f"{item.file}: {item.notice.message}" for item in change.unreadable),
            *(warning for delta in change.deltas for warning in warnings(delta.spec)),
        ],
    )


def _changed_requirements(
    deltas: tuple[Delta, ...], section: Section, specs: Mapping[str, Spec]
) -> list[ChangedRequirement]:
    return [
        ChangedRequirement(
            spec_id=delta.spec.id,
            name=item.name,
            description=item.text,
            scenarios=[scenario.name for scenario in item.scenarios],
            difference=_difference(item, delta, specs.get(delta.spec.local_id)) if section == "modified" else None,
        )
        for delta in deltas
        for item in delta.in_section(section)
    ]


def _difference(item: Requirement, delta: Delta, spec: Spec | None) -> str | None:
    former = former_requirement(item, delta, spec) if spec else None
    return truncate("\n".join(difference(item, former)), limits.TEXT_CHARS) if former else None
