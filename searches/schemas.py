"""What the tools of search sessions take and return."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from paper_search.domains import DomainName
from paper_search.export import ToolFormat
from papercore import limits
from papercore.arguments import VISIBLE, VISIBLE_OR_BLANK

Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=limits.QUERY_CHARS,
        description="The question in plain words; years, a language and a number of papers are understood.",
    ),
    VISIBLE,
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
        description="For edit: a SearchStrategy {queries, sources, filters} at strategy_confirmation; a UserFeedback "
        "{marked_relevant, marked_irrelevant, marked_unsure, free_text_feedback} at result_review."
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
