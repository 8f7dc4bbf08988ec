"""The spec tools: each calls the core and turns its answer into a schema."""

from typing import Annotated

from pydantic import Field

from papercore import limits
from papercore.retrieval import CONFIDENCE
from papercore.tool import VISIBLE, tool
from specs import core, serializers
from specs.errors import NoTestsNamed
from specs.reading.validation import validate
from specs.schemas import (
    ChangeDetails,
    ChangeList,
    ScenarioAnswer,
    SpecHit,
    SpecList,
    SpecRequirements,
    SpecSearch,
    Validation,
    ValidationIssue,
    Verification,
)
from specs.verification import tests_of_projects, tests_of_spec

SpecId = Annotated[
    str, Field(min_length=1, max_length=limits.SPEC_ID_CHARS, description="A spec's id, from list_specs."), VISIBLE
]
Name = Annotated[str, Field(min_length=1, max_length=limits.NAME_CHARS), VISIBLE]
ProjectName = Annotated[str | None, Field(max_length=limits.NAME_CHARS, description="Only this project's.")]
RequirementName = Annotated[Name, Field(description="The requirement's name, from get_spec_requirements.")]
ScenarioName = Annotated[
    Name | None, Field(description="The scenario's name; default: the requirement's first scenario.")
]
Question = Annotated[
    str,
    Field(min_length=1, max_length=limits.QUERY_CHARS, description="What you look for, in words of your own."),
    VISIBLE,
]
Results = Annotated[int, Field(ge=1, le=limits.SPEC_RESULTS)]
OptionalSpecId = Annotated[SpecId | None, Field(description="Only this spec's.")]
UntestedOnly = Annotated[bool, Field(description="False: also those that have tests, with their places.")]
Archived = Annotated[bool, Field(description="True: the changes already archived instead of the open ones.")]
ChangeId = Annotated[Name, Field(description="The change's id, from list_changes.")]


@tool
def list_specs(project: ProjectName = None) -> SpecList:
    """List all requirement specs: id, title, purpose and number of requirements. Start here, or with search_specs."""
    return SpecList(specs=[serializers.spec_summary(spec) for spec in core.parse_all_specs(project)])


@tool
def get_spec_requirements(spec_id: SpecId) -> SpecRequirements:
    """Return one spec's requirements: texts and names of scenarios, without scenario bodies.

    Read a scenario with get_scenario.
    """
    return serializers.spec_requirements(core.get_spec_by_id(spec_id))


@tool
def get_scenario(spec_id: SpecId, requirement: RequirementName, scenario: ScenarioName = None) -> ScenarioAnswer:
    """Return one scenario in full (given, when, then, Markdown) with the requirement it belongs to."""
    spec = core.get_spec_by_id(spec_id)
    item, found = core.get_scenario(spec, requirement, scenario)
    return ScenarioAnswer(
        spec_id=spec.id,
        requirement=item.name,
        description=item.text,
        scenario=serializers.scenario_text(found),
    )


@tool
def search_specs(
    query: Question, limit: Results = limits.DEFAULT_SPEC_RESULTS, project: ProjectName = None
) -> SpecSearch:
    """Find requirements by meaning, also by identifiers. Results are ranked; none if nothing is close enough."""
    found = core.search(query, limit, project)
    results = [
        SpecHit(spec_id=hit.spec.id, requirement=hit.requirement.name, score=hit.score, snippet=hit.snippet)
        for hit in found.hits
    ]
    return SpecSearch(query=query, results=results, confidence=CONFIDENCE[found.verdict], notice=found.notice)


@tool
def list_changes(project: ProjectName = None, archived: Archived = False) -> ChangeList:
    """List the changes proposed for the specs: what each touches, its deltas, how many tasks are done."""
    changes = core.get_changes(project, archived=archived)
    return ChangeList(changes=[serializers.change_summary(change) for change in changes])


@tool
def get_change(change: ChangeId, project: ProjectName = None) -> ChangeDetails:
    """Return one change: why, what, and its deltas as added, modified, removed and renamed requirements."""
    found = core.get_change_by_id(change, project)
    return serializers.change_details(found, core.local_specs(found.project))


@tool
def check_verification(
    spec_id: OptionalSpecId = None, project: ProjectName = None, untested_only: UntestedOnly = True
) -> Verification:
    """Which requirements and scenarios does nothing verify: those that no test is marked with, and where tests are.

    Whether a test passes is not known.
    """
    spec = core.get_spec_by_id(spec_id) if spec_id else None
    rows = tests_of_spec(spec) if spec else tests_of_projects(project)
    if rows is None:
        raise NoTestsNamed(
            "It is not known where the tests of these specs are: there is no folder “tests” beside “openspec”, or it "
            "is switched off. Set PAPERSITE_SPEC_TESTS to the folder, or to name=folder for each project."
        )
    return serializers.verification(rows, untested_only)


@tool
def validate_spec(spec_id: SpecId) -> Validation:
    """Judge one spec strictly: a spec with errors or warnings is invalid. Each issue has its line."""
    spec = core.get_spec_by_id(spec_id)
    issues = validate(spec.document)
    levels = [issue.level for issue in issues]
    return Validation(
        spec_id=spec.id,
        valid=not {"error", "warning"} & set(levels),
        errors=levels.count("error"),
        warnings=levels.count("warning"),
        issues=[ValidationIssue(level=item.level, line=item.line, message=item.message) for item in issues],
    )
