"""Citations that were followed from papers, and where they led."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct, field

from paper_search.models import RawPaper

# Papers whose citations are followed at once: those marked last.
FOLLOWED_PAPERS = 20
# Of what one source gives in each direction, the papers with most links.
LINKED_PAPERS = 200


class Linked(Struct, frozen=True):
    """A paper that citations led to, with the ids of the papers they were followed from."""

    paper: RawPaper
    cites: Collection[str] = ()
    cited_by: Collection[str] = ()


class Links(Struct):
    """By the name that a source has for a paper: the followed papers that cite it, and those that it cites."""

    cited_by: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    cites: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @property
    def most_linked(self) -> list[str]:
        """Those with most links, at most LINKED_PAPERS of each direction."""
        chosen = [
            name
            for links in (self.cited_by, self.cites)
            for name in sorted(links, key=lambda name: -len(links[name]))[:LINKED_PAPERS]
        ]
        return list(dict.fromkeys(chosen))

    def linked(self, papers: Mapping[str, RawPaper] | Iterable[tuple[str, RawPaper]]) -> list[Linked]:
        """The papers, by the source's names, with their links."""
        return [
            Linked(paper, self.cites.get(name, ()), self.cited_by.get(name, ())) for name, paper in dict(papers).items()
        ]
