"""What the tools for passages take and return."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from papercore import limits
from papercore.tool import VISIBLE, without_control_characters
from papers.catalogue.schemas import PaperName
from papers.catalogue.text_kinds import TextKind

CLEANED = AfterValidator(without_control_characters)
TextName = Annotated[
    str,
    Field(
        pattern=r"^(abstract|source|(summary|translation):[A-Za-z0-9_.:-]{1,128})$",
        description="source, abstract, summary:{template} or translation:{lang}; without it the first that exists.",
    ),
]
Address = Annotated[
    str,
    Field(
        min_length=1,
        max_length=limits.ADDRESS_CHARS,
        description="As search_passages and get_paper_outline give it.",
    ),
    VISIBLE,
]
Neighbours = Annotated[int, Field(ge=0, le=limits.PASSAGE_NEIGHBOURS)]


PassageLimit = Annotated[int, Field(ge=1, le=limits.PASSAGE_HITS)]
SearchedPapers = Annotated[tuple[PaperName, ...], Field(max_length=limits.PAPERS_AT_ONCE)]
# `authors`: what a paper says itself. `summaries`: what retells it. `all`: both.
TextsAsked = Literal["authors", "summaries", "all"]


class PassagePlace(BaseModel):
    """Where a passage is."""

    address: str = Field(description="Cite by it; get_passage opens it.")
    paper_id: str
    title: str
    text_kind: TextKind
    authors_words: bool = Field(description="False: never quote it.")
    section: str = Field(description="The headings above it.")
    page: int | None = Field(description="Of the PDF, where known.")
    link: str
    pdf_link: str | None = Field(description="Its page in the PDF.")


class PassageHit(PassagePlace):
    quote: str = Field(description="Word for word, without markup.")
    score: float


class PassageHits(BaseModel):
    """The best passages; none if nothing bears on the query."""

    passages: list[PassageHit]
    other_texts: list[PassageHit] = Field(default=[], description="Of summaries and translations: no evidence.")
    corrected_query: str = ""
    only: list[str] = Field(default=[], description="As in search_papers.")


class NearbyPassage(BaseModel):
    address: str
    markdown: str


class PassageInContext(BaseModel):
    """A passage and its neighbours."""

    place: PassagePlace
    markdown: str
    language: str | None
    start: int = Field(description="In characters of the text.")
    end: int
    before: list[NearbyPassage]
    after: list[NearbyPassage]


class OutlineSection(BaseModel):
    number: int = Field(description="For `section` of get_paper_source.")
    level: int
    heading: str
    chars: int = Field(description="With the sections below it.")
    address: str | None = Field(description="Of its first passage.")
    opening: str


class PaperOutline(BaseModel):
    """The sections of one text."""

    paper_id: str
    title: str
    text: str
    texts: list[str] = Field(description="All texts of the paper.")
    total_chars: int
    passages: int
    sections: list[OutlineSection]
    sections_not_shown: int


QuoteVerdict = Literal["found", "not_authors_words", "elsewhere", "near_miss", "not_found", "not_checked"]


class QuoteToVerify(BaseModel):
    """A quote, and where it is said to be."""

    model_config = ConfigDict(extra="forbid")

    quote: Annotated[str, Field(min_length=1, max_length=limits.QUOTE_CHARS), CLEANED]
    where: Annotated[
        str,
        Field(
            max_length=limits.ADDRESS_CHARS,
            description="A passage's address or a paper's id; empty: anywhere.",
        ),
        CLEANED,
    ] = ""


Quotes = Annotated[tuple[QuoteToVerify, ...], Field(min_length=1, max_length=limits.QUOTES)]


class QuotesBody(BaseModel):
    """The body of a request over REST."""

    quotes: Quotes


class VerifiedQuote(BaseModel):
    quote: str
    found: bool
    verdict: QuoteVerdict
    place: PassagePlace | None = Field(description="Where it is, or what it comes near to.")
    problem: str | None


class VerifiedQuotes(BaseModel):
    """The quotes in the order given."""

    quotes: list[VerifiedQuote]
    all_found: bool
