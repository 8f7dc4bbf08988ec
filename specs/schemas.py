"""What the spec tools return."""

from pydantic import BaseModel, Field

from papercore.retrieval import Confidence


class SpecSummary(BaseModel):
    id: str = Field(description="Pass it as spec_id to the other tools.")
    title: str
    purpose: str = Field(description="The first paragraph, shortened; empty if the spec states none.")
    requirement_count: int


class SpecList(BaseModel):
    specs: list[SpecSummary]


class RequirementSummary(BaseModel):
    name: str = Field(description="Pass it as requirement to get_scenario.")
    description: str
    scenario_count: int
    scenarios: list[str] = Field(description="The scenarios' names.")


class SpecRequirements(BaseModel):
    spec_id: str
    title: str
    purpose: str
    requirements: list[RequirementSummary]
    warnings: list[str] = Field(description="What the reader noticed in the file, with line numbers.")


class ScenarioText(BaseModel):
    name: str
    given: list[str]
    when: str = Field(description="The condition; several are joined by AND.")
    then: list[str]
    body: str = Field(description="The scenario as it is written, in Markdown.")


class ScenarioAnswer(BaseModel):
    spec_id: str
    requirement: str
    description: str
    scenario: ScenarioText


class FullRequirement(BaseModel):
    name: str
    description: str
    scenarios: list[ScenarioText]


class FullSpec(BaseModel):
    spec_id: str
    title: str
    purpose: str
    requirements: list[FullRequirement]
    warnings: list[str]


class Warnings(BaseModel):
    warnings: list[str]


class ChangeSummary(BaseModel):
    id: str = Field(description="Pass it as change to get_change.")
    project: str
    title: str
    archived: bool
    tasks_done: int
    tasks_total: int
    specs: list[str] = Field(description="Ids of the specs it touches; some may not exist yet.")
    added: int
    modified: int
    removed: int
    renamed: int


class ChangeList(BaseModel):
    changes: list[ChangeSummary]


class ChangedRequirement(BaseModel):
    spec_id: str
    name: str
    description: str
    scenarios: list[str]
    difference: str | None = Field(
        default=None, description="Of a modified one: lines that go (-) and come (+) against the text in force."
    )


class RenamedRequirement(BaseModel):
    spec_id: str
    old_name: str
    new_name: str


class ChangeDetails(ChangeSummary):
    why: str
    what_changes: str
    purposes: dict[str, str] = Field(
        description="Of each new spec, as its delta states it; OpenSpec ignores that of others."
    )
    added_requirements: list[ChangedRequirement]
    modified_requirements: list[ChangedRequirement]
    removed_requirements: list[ChangedRequirement]
    renamed_requirements: list[RenamedRequirement]
    warnings: list[str]


class ValidationIssue(BaseModel):
    level: str = Field(description="error, warning or info; an info alone does not fail the spec.")
    line: int
    message: str


class Validation(BaseModel):
    spec_id: str
    valid: bool
    errors: int
    warnings: int
    issues: list[ValidationIssue]


class TestedScenario(BaseModel):
    name: str
    tests: list[str] = Field(description="file:line of each test marked with it.")


class TestedRequirement(BaseModel):
    spec_id: str
    requirement: str
    tests: list[str]
    scenarios: list[TestedScenario]


class Verification(BaseModel):
    requirements: int
    verified: int = Field(description="Requirements with a test, by their name or a scenario's.")
    scenarios: int
    scenarios_with_test: int
    listed: list[TestedRequirement]
    omitted: int = Field(description="How many more there are: name a spec_id.")


class SpecHit(BaseModel):
    spec_id: str
    requirement: str
    score: float = Field(description="0 to 1; results come in descending order.")
    snippet: str = Field(description="The passage of the requirement or its scenarios that fits best.")


class SpecSearch(BaseModel):
    query: str
    results: list[SpecHit]
    confidence: Confidence = Field(default="high", description="low: these may not answer it; none: nothing does.")
    notice: str | None = Field(
        default=None,
        description="Set when the index is older than the specs: what may be missing, what to do.",
    )
