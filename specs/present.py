"""Shapes parsed specs and changes into what the tools return."""

from weakref import WeakKeyDictionary

from papercore import limits
from specs.reading.catalogue import Spec
from specs.reading.changes import Change, Delta
from specs.reading.document import Requirement, Scenario, Section
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

# Thousands are asked for at once, and few of them ever change.
_summaries: WeakKeyDictionary[Spec, SpecSummary] = WeakKeyDictionary()


def spec_summary(spec: Spec) -> SpecSummary:
    summary = _summaries.get(spec)
    if summary is None:
        summary = _summaries[spec] = _new_summary(spec)
    return summary


def _new_summary(spec: Spec) -> SpecSummary:
    document = spec.document
    return SpecSummary(
        id=spec.id,
        title=document.title,
        purpose=shorten(document.purpose),
        requirement_count=len(document.in_force),
    )


def shorten(text: str, length: int = limits.PURPOSE_CHARS) -> str:
    """The first paragraph on one line, cut at a word."""
    paragraph = " ".join(text.split("\n\n", 1)[0].split())
    if len(paragraph) <= length:
        return paragraph
    cut = paragraph[: length - 1]
    return f"{cut.rpartition(' ')[0] or cut} …"


def spec_requirements(spec: Spec) -> SpecRequirements:
    document = spec.document
    return SpecRequirements(
        spec_id=spec.id,
        title=document.title,
        purpose=document.purpose,
        requirements=[_requirement_summary(item) for item in document.in_force],
        warnings=warnings(spec),
    )


def warnings(spec: Spec) -> list[str]:
    return [f"{spec.file}, line {notice.line}: {notice.message}" for notice in spec.document.notices]


def _requirement_summary(item: Requirement) -> RequirementSummary:
    names = [scenario.name for scenario in item.scenarios]
    description = cut(item.text, limits.DESCRIPTION_CHARS)
    return RequirementSummary(name=item.name, description=description, scenario_count=len(names), scenarios=names)


def cut(text: str, length: int) -> str:
    """The text, or its beginning with a mark that says how much is left."""
    left = len(text) - length
    return text if left <= 0 else f"{text[:length]}\n\n[truncated: {left:,} more characters]"


def scenario_text(scenario: Scenario) -> ScenarioText:
    return ScenarioText(
        name=scenario.name,
        given=scenario.spoken("given"),
        when="\nAND ".join(scenario.spoken("when")),
        then=scenario.spoken("then"),
        body=cut(scenario.body, limits.TEXT_CHARS),
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
        return sum(len(delta.of(section)) for delta in change.deltas)

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
        added_requirements=_changed(change.deltas, "added"),
        modified_requirements=_changed(change.deltas, "modified"),
        removed_requirements=_changed(change.deltas, "removed"),
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


def _changed(deltas: tuple[Delta, ...], section: Section) -> list[ChangedRequirement]:
    return [
        ChangedRequirement(
            spec_id=delta.spec.id,
            name=item.name,
            description=item.text,
            scenarios=[scenario.name for scenario in item.scenarios],
        )
        for delta in deltas
        for item in delta.of(section)
    ]
