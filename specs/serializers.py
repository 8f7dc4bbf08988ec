"""Turns parsed specs and changes into what the tools return."""

from weakref import WeakKeyDictionary

from papercore import limits
from papercore.text import truncate
from specs.reading.catalogue import Spec
from specs.reading.changes import Change, Delta
from specs.reading.document import Notice, Scenario, Section, excerpt
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
)

# An index of all specs stays readable when each purpose is at most this long.
PURPOSE_CHARS = 300
# A requirement's text in an overview of its spec; get_scenario returns it whole.
DESCRIPTION_CHARS = 2_000
# list_specs asks for thousands at once, and few of them ever change.
_summaries: WeakKeyDictionary[Spec, SpecSummary] = WeakKeyDictionary()


def spec_summary(spec: Spec) -> SpecSummary:
    summary = _summaries.get(spec)
    if summary is None:
        summary = _summaries[spec] = SpecSummary(
            id=spec.id,
            title=spec.document.title,
            purpose=short_purpose(spec),
            requirement_count=len(spec.document.in_force),
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


def change_details(change: Change) -> ChangeDetails:
    return ChangeDetails(
        **change_summary(change).model_dump(),
        why=change.proposal.why,
        what_changes=change.proposal.what,
        added_requirements=_changed_requirements(change.deltas, "added"),
        modified_requirements=_changed_requirements(change.deltas, "modified"),
        removed_requirements=_changed_requirements(change.deltas, "removed"),
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


def _changed_requirements(deltas: tuple[Delta, ...], section: Section) -> list[ChangedRequirement]:
    return [
        ChangedRequirement(
            spec_id=delta.spec.id,
            name=item.name,
            description=item.text,
            scenarios=[scenario.name for scenario in item.scenarios],
        )
        for delta in deltas
        for item in delta.in_section(section)
    ]
