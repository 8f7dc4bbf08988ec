"""The spec tools over REST: each route reads the request and calls its tool.

Ids and names are in the query, because they contain slashes and blanks.
"""

from typing import Annotated

from django.http import HttpRequest
from ninja import Router

from papercore import limits
from papercore.errors import NotFound
from papercore.http_status import DOCUMENTED_VISIBLE, answers
from specs import tools
from specs.schemas import (
    ChangeDetails,
    ChangeList,
    ScenarioAnswer,
    SpecList,
    SpecRequirements,
    SpecSearch,
    Validation,
    Verification,
)
from specs.tools import (
    Archived,
    ChangeId,
    OptionalSpecId,
    ProjectName,
    Question,
    RequirementName,
    Results,
    ScenarioName,
    SpecId,
    UntestedOnly,
)

router = Router(tags=["specs"])
QuestionParameter = Annotated[Question, DOCUMENTED_VISIBLE]
SpecIdParameter = Annotated[SpecId, DOCUMENTED_VISIBLE]
RequirementParameter = Annotated[RequirementName, DOCUMENTED_VISIBLE]
ScenarioParameter = Annotated[ScenarioName, DOCUMENTED_VISIBLE]
OptionalSpecIdParameter = Annotated[OptionalSpecId, DOCUMENTED_VISIBLE]
ChangeIdParameter = Annotated[ChangeId, DOCUMENTED_VISIBLE]


@router.get("/specs", response=answers(SpecList, NotFound), summary="List specs")
def list_specs(request: HttpRequest, project: ProjectName = None) -> SpecList:
    """Every spec: id, title, purpose, number of requirements."""
    return tools.list_specs(project)


@router.get("/specs/search", response=answers(SpecSearch, NotFound), summary="Search specs by meaning")
def search_specs(
    request: HttpRequest,
    query: QuestionParameter,
    limit: Results = limits.DEFAULT_SPEC_RESULTS,
    project: ProjectName = None,
) -> SpecSearch:
    """Requirements close to the question, best first."""
    return tools.search_specs(query, limit, project)


@router.get("/specs/requirements", response=answers(SpecRequirements, NotFound), summary="Get a spec's requirements")
def get_spec_requirements(request: HttpRequest, spec_id: SpecIdParameter) -> SpecRequirements:
    """One spec's requirements with the names of their scenarios."""
    return tools.get_spec_requirements(spec_id)


@router.get("/specs/scenario", response=answers(ScenarioAnswer, NotFound), summary="Get a scenario")
def get_scenario(
    request: HttpRequest,
    spec_id: SpecIdParameter,
    requirement: RequirementParameter,
    scenario: ScenarioParameter = None,
) -> ScenarioAnswer:
    """One scenario in full; without a name the requirement's first."""
    return tools.get_scenario(spec_id, requirement, scenario)


@router.get("/specs/verification", response=answers(Verification, NotFound), summary="Requirements without a test")
def check_verification(
    request: HttpRequest,
    spec_id: OptionalSpecIdParameter = None,
    project: ProjectName = None,
    untested_only: UntestedOnly = True,
) -> Verification:
    """Which requirements and scenarios no test is marked with."""
    return tools.check_verification(spec_id, project, untested_only)


@router.get("/specs/validation", response=answers(Validation, NotFound), summary="Validate a spec")
def validate_spec(request: HttpRequest, spec_id: SpecIdParameter) -> Validation:
    """Errors and warnings of one spec, each with its line."""
    return tools.validate_spec(spec_id)


@router.get("/changes", response=answers(ChangeList, NotFound), summary="List changes to specs")
def list_changes(request: HttpRequest, project: ProjectName = None, archived: Archived = False) -> ChangeList:
    """The open changes, or those already archived."""
    return tools.list_changes(project, archived)


@router.get("/changes/details", response=answers(ChangeDetails, NotFound), summary="Get a change")
def get_change(request: HttpRequest, change: ChangeIdParameter, project: ProjectName = None) -> ChangeDetails:
    """Why, what, and the deltas by kind."""
    return tools.get_change(change, project)
