"""What the workflow expects of a source, and of the local library, which is a source that knows its keywords."""

from collections.abc import Sequence
from typing import Protocol

from paper_search.models import RawPaper, SearchConstraints, SearchQuery
from papercore.identifier_list import Identifier


class Source(Protocol):
    """A place to search; raises only SourceError."""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]: ...


class PaperLookup(Protocol):
    """A source that knows papers by their identifiers; raises only SourceError."""

    async def look_up(self, identifier: Identifier) -> RawPaper | None: ...


class Library(Source, Protocol):
    """The source `snapshot`: a snapshot file, or whatever else holds the local papers."""

    def keywords(self) -> Sequence[str]:
        """The library's own keywords, the most used first; synonyms are learnt from them."""
        ...
