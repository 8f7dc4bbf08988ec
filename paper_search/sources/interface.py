"""What a search expects of a source, and of the local library, which is a source that knows its keywords."""

from collections.abc import Sequence
from typing import ClassVar, Literal, Protocol

from msgspec import Struct

from paper_search.models import Paper, RawPaper, SearchConstraints, SearchQuery
from paper_search.sources.links import Linked
from paper_search.text import stems
from papercore.bibliography.identifiers import Identifier
from papercore.errors import Unavailable

# Papers that are read to learn how a library uses a phrase.
MENTIONS = 40


class SourceError(Unavailable):
    """The source gave nothing usable. The message reads on after the source's name: `timed out`.

    It holds no address and no key.
    """

    code = "source_failed"


class UnknownToSource(SourceError):
    """It answered that it has nothing by this name."""


class Source(Protocol):
    """A place to search; raises only SourceError. Whoever writes one inherits the defaults from here."""

    # words: by keywords alone; operators: by the boolean query; synonyms: it finds other wordings itself.
    takes: ClassVar[Literal["words", "operators", "synonyms"]] = "words"
    # Filters of a strategy that it has fields for, so that it applies them itself.
    own_filters: ClassVar[frozenset[str]] = frozenset()
    # Filters that it has no field for, and whose answers do not tell.
    unsupported_filters: ClassVar[tuple[str, ...]] = ()

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]: ...

    async def linked(self, papers: Sequence[Paper]) -> list[Linked]:
        """What the papers cite, and what cites them."""
        raise SourceError("knows no citations")

    def names(self, facet: str) -> Sequence[str]:
        """The names of all its authors or venues (`author`, `venue`); one that keeps none knows nobody."""
        return ()


class PaperLookup(Protocol):
    """A source that knows papers by their identifiers too; raises only SourceError."""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]: ...

    async def look_up(self, identifier: Identifier) -> RawPaper | None: ...


class PaperText(Struct, frozen=True):
    """What a paper of the library says, for whoever learns the library's words."""

    title: str
    abstract: str = ""
    keywords: tuple[str, ...] = ()

    def has(self, phrases: Sequence[str]) -> bool:
        """Whether all phrases are in the title or abstract, in any form of their words."""
        text = _spaced_stems(f"{self.title} {self.abstract}")
        return all(_spaced_stems(phrase) in text for phrase in phrases)


def _spaced_stems(text: str) -> str:
    """The same for `part of speech` and `parts-of-speech`."""
    return f" {' '.join(stems(text.replace('-', ' ')))} "


class Library(Source, Protocol):
    """The source `snapshot`: a snapshot file, or whatever else holds the local papers."""

    def keywords(self) -> Sequence[str]:
        """The library's own keywords, the most used first."""
        ...

    def mentions(self, *phrases: str) -> Sequence[PaperText]:
        """The papers that have all of the phrases, best first, at most MENTIONS."""
        ...
