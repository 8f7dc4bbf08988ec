"""A library that knows some names."""

from collections.abc import Sequence

from paper_search.models import RawPaper, SearchConstraints, SearchQuery
from paper_search.reading.names import FEW_PAPERS, KnownNames
from paper_search.sources.interface import MENTIONS, Library, PaperText


class Names(Library):
    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        return []

    def keywords(self) -> Sequence[str]:
        return ()

    def mentions(self, *phrases: str) -> Sequence[PaperText]:
        """Of several words it has two phrases."""
        few = FEW_PAPERS if phrases[0] in ("Brown", "skip connections", "learning without forgetting") else 1
        return [PaperText("")] * (
            MENTIONS if phrases[0] == "German" else few if few > 1 or " " not in phrases[0] else 0
        )

    def names(self, facet: str) -> Sequence[str]:
        people = [
            *("emily m. bender", "christopher manning", "dan klein", "philipp koehn", "anna german", "roger levy"),
            *("peter brown", "robert french"),
        ]
        return people if facet == "author" else ["wmt", "africanlp", "coling", "tag"]


KNOWN = KnownNames(Names())
