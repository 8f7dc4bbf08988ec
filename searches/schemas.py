"""What the tools of search sessions take and return."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, WithJsonSchema

from paper_search.domains import DomainName
from paper_search.export import ToolFormat
from paper_search.plan import SearchPlan
from papercore import limits
from papercore.tool import VISIBLE, VISIBLE_OR_BLANK

Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=limits.QUERY_CHARS,
        description="In plain words.",
    ),
    VISIBLE,
]
# Its fields in words: the whole schema would be longer than that of any tool.
Plan = Annotated[
    SearchPlan | None,
    WithJsonSchema(
        {
            "type": ["object", "null"],
            "description": "What to look for, better than a reading of the query: concepts (a term and its synonyms "
            "each; all must occur, most telling first), topic (words to rank by), not, authors, not_authors, "
            "venues, kinds, not_kinds, year_from, year_to, languages, prefer, avoid, sources. E.g. "
            '{"concepts": [["irony", "sarcasm"], ["tweets", "Twitter"]], "not": ["images"], "year_from": 2018, '
            '"kinds": ["dataset"]}',
        }
    ),
]
SearchDomain = Annotated[DomainName, Field(description="Narrows the sources.")]
MaxResults = Annotated[int, Field(ge=1, le=limits.SEARCH_RESULTS, description="Most papers to keep.")]
SessionId = Annotated[str, Field(min_length=1, max_length=limits.ID_CHARS), VISIBLE]
Again = Annotated[
    SessionId | None,
    Field(description="A session that has ended, to go on with its plan and marks."),
]
Action = Annotated[
    Literal["approve", "edit", "reject"],
    Field(description="approve goes on, edit with your data; reject: another round by your note."),
]
RevisedData = Annotated[
    dict[str, object] | None,
    Field(
        description="At strategy_confirmation: fields of the plan that change (or a SearchStrategy). At "
        "result_review: {like, unlike, unsure: [paper ids], prefer, avoid, drop: [terms], constraints: {fields of the "
        "plan}, note, follow_citations: true}; with approve, "
        "{only_relevant: true} keeps those marked relevant."
    ),
]
Note = Annotated[
    Annotated[str, Field(max_length=limits.NOTE_CHARS), VISIBLE_OR_BLANK] | None,
    Field(description="Steers the next round."),
]
CheckpointId = Annotated[
    str | None,
    Field(max_length=limits.ID_CHARS, description="Makes a repeated call harmless."),
]
IdempotencyKey = Annotated[
    str | None,
    Field(
        max_length=limits.ID_CHARS,
        description="A repeated call returns the session of the first.",
    ),
]
WaitSeconds = Annotated[float, Field(ge=0, le=limits.SESSION_WAIT_SECONDS)]
ReviewOffset = Annotated[
    int,
    Field(ge=0, le=limits.SEARCH_RESULTS, description="From which of the papers under review on; 20 are shown."),
]
# RIS besides what the requirement names.
SiteFormat = Literal[ToolFormat, "ris"]
ExportOffset = Annotated[int, Field(ge=0, le=limits.SEARCH_RESULTS)]
ExportLimit = Annotated[int, Field(ge=1, le=limits.SEARCH_RESULTS)]
IncludeUnsure = Annotated[bool, Field(description="Also the papers marked unsure, after the others.")]


class Export(BaseModel):
    """The papers of a completed session as one text."""

    session_id: str
    format: SiteFormat
    paper_count: int
    selection: str
    next_offset: int | None = None
    text: str
