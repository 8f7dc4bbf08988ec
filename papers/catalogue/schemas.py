"""What the paper tools take and return."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints

from papercore import limits
from papercore.retrieval import Confidence, Mode
from papercore.tool import VISIBLE, VISIBLE_OR_BLANK, number_as_text

ID_PATTERN = rf"^[A-Za-z0-9_.:-]{{1,{limits.ID_CHARS}}}$"
Id = Annotated[str, BeforeValidator(number_as_text), StringConstraints(pattern=ID_PATTERN)]
PaperName = Annotated[
    str, BeforeValidator(number_as_text), Field(min_length=1, max_length=limits.PAPER_NAME_CHARS), VISIBLE
]
PaperId = Annotated[PaperName, Field(description="Id, DOI, arXiv id or citation key.")]
PaperIds = Annotated[tuple[PaperName, ...], Field(min_length=1, max_length=limits.PAPERS_AT_ONCE)]
Language = Annotated[Id, Field(description="A language code from available_translations, such as zh.")]
Query = Annotated[str, Field(max_length=limits.QUERY_CHARS), VISIBLE_OR_BLANK]
VisibleQuery = Annotated[str, Field(min_length=1, max_length=limits.QUERY_CHARS), VISIBLE]
Value = Annotated[str, Field(min_length=1, max_length=limits.QUERY_CHARS), VISIBLE]
Limit = Annotated[int, Field(ge=1, le=limits.PAGE_SIZE)]
Offset = Annotated[int, Field(ge=0, le=limits.OFFSET)]
MaxChars = Annotated[int, Field(ge=1)]
TextOffset = Annotated[int, Field(ge=0, le=limits.ASSET_BYTES)]
SectionName = Annotated[
    str,
    BeforeValidator(number_as_text),
    Field(
        min_length=1,
        max_length=limits.NAME_CHARS,
        description="A section's number in get_paper_outline, or its heading. `offset` then counts within it.",
    ),
    VISIBLE,
]
Year = Annotated[int, Field(ge=0, le=9999)]
Category = Literal["author", "venue", "keyword", "institution", "tag", "year"]
SuggestedKind = Literal["title", "author", "venue", "keyword"]


class PaperHit(BaseModel):
    paper_id: str
    title: str
    year: int | None
    venue: str
    authors: list[str]
    snippet_markdown: str = Field(description="The match, in bold; else the start of the summary.")


class PaperPage(BaseModel):
    """A part of a list of papers."""

    papers: list[PaperHit]
    total: int
    offset: int
    next_offset: int | None = Field(description="Offset of the next part.")


class FacetValue(BaseModel):
    value: str
    paper_count: int


class SearchHit(PaperHit):
    score: float | None = Field(description="0 to 1, comparable everywhere; null in other orders.")
    matched: list[str] = Field(
        description="Where: title, text (abstract and summary), body (full text), a facet, meaning; `introduces NAME`."
    )


class UnderstoodWords(BaseModel):
    """Words read as the name of what a paper introduced, as authors, as a year: those papers come first.

    Of a query that is one author's name alone: all spellings of it here, to filter by `author`.
    """

    introduced: str
    authors: list[str]
    year: int | None
    only: list[str] = Field(default=[], description="What all papers meet.")


class SearchPage(BaseModel):
    """A part of what a search found."""

    papers: list[SearchHit]
    total: int = Field(description="Papers that bear on the query.")
    beyond: int = Field(default=0, description="Papers behind these that only share a word with it.")
    confidence: Confidence = Field(default="high", description="low: these may not answer it; none: nothing does.")
    offset: int
    next_offset: int | None = Field(description="Offset of the next part.")
    mode: Mode = Field(description="A phrase, a field or a known title is looked up by words.")
    facets: dict[str, list[FacetValue]] = Field(description="Counts over all hits.")
    nearest: list[SearchHit] = Field(default=[], description="If nothing answers: what is nearest.")
    corrected_query: str = Field(
        default="", description="What was searched, if slips were mended; quoted words are searched as typed."
    )
    understood: UnderstoodWords | None = None
    # Empty, or that the index failed and how it was answered instead.
    notice: str = ""


class SimilarPapers(BaseModel):
    """The papers nearest to one paper."""

    paper_id: str
    papers: list[SearchHit]
    notice: str = ""


class Suggestion(BaseModel):
    kind: SuggestedKind
    value: str
    paper_count: int


class Suggestions(BaseModel):
    prefix: str
    suggestions: list[Suggestion]


class PaperMetadata(BaseModel):
    """All that is known about a paper except its texts."""

    paper_id: str
    title: str
    authors: list[str]
    year: int | None
    month: int | None
    publication_date: str
    venue: str
    doi: str | None
    arxiv_id: str | None
    keywords: list[str]
    tags: list[str]
    institutions: list[str]
    abstract: str | None
    abstract_authors_words: bool = False
    preferred_summary_template: str | None
    available_summary_templates: list[str]
    available_translations: list[str]
    has_source: bool
    has_pdf: bool
    has_bibtex: bool
    summary_preview: str
    output_language: str | None
    provider: str | None
    model: str | None
    extracted_at: str | None


class MissingPaper(BaseModel):
    paper_id: str
    error: str
    message: str


class ManyPapers(BaseModel):
    """The papers in the order asked for, each once."""

    papers: list[PaperMetadata]
    not_found: list[MissingPaper]
    bibtex: str = Field(
        default="", description="All their entries, if asked for; made from metadata where none is kept."
    )


class Text(BaseModel):
    """A text, perhaps cut; the marker at its end then says how much is left."""

    text_kind: str
    authors_words: bool
    total_chars: int
    truncated: bool


class SummaryText(Text):
    paper_id: str
    template: str
    content: str = Field(description="The summary document, a JSON object as a string; its `summary` is markdown.")


class SourceText(Text):
    paper_id: str
    markdown: str
    next_offset: int | None = Field(description="Offset of the rest.")


class TranslationText(Text):
    paper_id: str
    lang: str
    markdown: str


class Bibtex(BaseModel):
    paper_id: str
    doi: str | None
    bibtex_raw: str
    bibtex_key: str | None
    entry_type: str | None
    note: str | None = Field(
        default=None, description="What is wrong with the stored entry.", exclude_if=lambda note: note is None
    )


class FacetValues(BaseModel):
    category: Category
    values: list[FacetValue]


class DatabaseStats(BaseModel):
    """The size and shape of the library."""

    papers: int
    authors: int
    venues: int
    keywords: int
    institutions: int
    tags: int
    year_from: int | None
    year_to: int | None
    with_source: int
    with_bibtex: int
    with_doi: int
    summary_templates: dict[str, int]
    translations: dict[str, int]
    build_id: str
    built_at: str
