"""An answer as the model drafts it, and as it is shown once its quotes have been looked for in the texts."""

from typing import Annotated

from pydantic import BaseModel, Field

from paper_search.llm import usable_items
from papercore import limits


class DraftQuote(BaseModel):
    """Words of a passage, and the passage's number."""

    passage: int
    quote: str = Field(min_length=1, max_length=limits.QUOTE_CHARS)


class DraftSentence(BaseModel):
    text: str = Field(min_length=1, max_length=limits.ANSWER_SENTENCE_CHARS)
    quotes: Annotated[list[DraftQuote], usable_items(DraftQuote, limits.ANSWER_QUOTES)] = []


class DraftAnswer(BaseModel):
    """What the model is asked for; nothing in it is trusted."""

    sentences: Annotated[list[DraftSentence], usable_items(DraftSentence, limits.ANSWER_SENTENCES)]


class CheckedQuote(BaseModel):
    """A quote that is in the text, and where; numbered through the answer."""

    number: int
    quote: str
    address: str
    # Of its passage on the board; empty if that is not there.
    anchor: str
    link: str
    title: str
    section: str
    page: int | None


class CheckedSentence(BaseModel):
    """A sentence with the quotes that were found; without any it is unsupported, and `problem` says why."""

    text: str
    quotes: list[CheckedQuote]
    problem: str = ""


class CheckedAnswer(BaseModel):
    sentences: list[CheckedSentence]

    @property
    def quotes(self) -> list[CheckedQuote]:
        """Those of all sentences, in the order of their numbers."""
        return [quote for sentence in self.sentences for quote in sentence.quotes]
