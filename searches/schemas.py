"""What the tools of search sessions take and return."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from paper_search.domains import DomainName
from paper_search.export import ToolFormat
from paper_search.plan import SearchPlan
from papercore import limits
from papercore.arguments import VISIBLE, VISIBLE_OR_BLANK

Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=limits.QUERY_CHARS,
        description="The question in plain words.",
    ),
    VISIBLE,
]
Plan = Annotated[
    SearchPlan | None,
    Field(
        description="What to look for, if you know it: better than any reading of the query, e.g. "
        '{"concepts": [["irony detection", "sarcasm detection"], ["tweets", "Twitter"]], "not": ["images"], '
        '"year_from": 2018, "kinds": ["dataset"]}.'
    ),
]
SearchDomain = Annotated[DomainName, Field(description="Narrows the sources and the scoring to one field.")]
MaxResults = Annotated[int, Field(ge=1, le=limits.SEARCH_RESULTS, description="Keep at most this many papers.")]
SessionId = Annotated[str, Field(min_length=1, max_length=limits.ID_CHARS), VISIBLE]
Action = Annotated[
    Literal["approve", "edit", "reject"],
    Field(description="approve goes on; edit goes on with your data; reject starts another round with your note."),
]
RevisedData = Annotated[
    dict[str, object] | None,
    Field(
        description="For edit. At strategy_confirmation: the fields of the plan that change, e.g. "
        '{"concepts": [["irony", "sarcasm"], ["tweets"]]} (or a SearchStrategy). At result_review: {like, unlike, '
        "unsure: [paper ids], prefer, avoid, drop: [terms], constraints: {fields of the plan}, note}."
    ),
]
Note = Annotated[
    Annotated[str, Field(max_length=limits.NOTE_CHARS), VISIBLE_OR_BLANK] | None,
    Field(description="Why; it steers the next round."),
]
CheckpointId = Annotated[
    str | None,
    Field(max_length=limits.ID_CHARS, description="The checkpoint that is meant; makes a repeated call harmless."),
]
IdempotencyKey = Annotated[
    str | None,
    Field(
        max_length=limits.ID_CHARS,
        description="Your own text: a repeated call with it returns the session that the first started.",
    ),
]
WaitSeconds = Annotated[
    float,
    Field(ge=0, le=limits.SESSION_WAIT_SECONDS, description="Wait so long for the next checkpoint or the end."),
]

ReviewOffset = Annotated[
    int,
    Field(ge=0, le=limits.SEARCH_RESULTS, description="From which of the papers under review on; 20 are shown."),
]
IncludeUnsure = Annotated[bool, Field(description="Also the papers marked unsure, after the others.")]


class Export(BaseModel):
    """The papers of a completed session as one text."""

    session_id: str
    format: ToolFormat
    paper_count: int
    text: str
