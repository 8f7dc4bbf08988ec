"""Papers of a session as its page lists them: to be judged, or found."""

from collections.abc import Iterator, Mapping, Sequence

from django.urls import reverse
from msgspec import Struct

from paper_search.config import KNOWN_SOURCES
from paper_search.models import Paper
from paper_search.text import best_passage, stems
from paper_search.workflow.session_state import Mark, paper_link
from papercore import limits
from papercore.bibliography.identifiers import doi_url
from papercore.text import WORD, one_line

# Pages named beside the current one.
NEAR_PAGES = 2


class PaperView(Struct, frozen=True):
    """A paper of the list; `number` counts from 1. In `passage`, [[[ and ]]] stand around words of the question."""

    number: int
    paper: Paper
    passage: str
    mark: Mark | None = None
    # Marked in an earlier round: the mark can be changed, but not taken back.
    decided: bool = False

    @property
    def names(self) -> list[str]:
        return [author.name for author in self.paper.authors]

    @property
    def sources(self) -> str:
        return source_labels(self.paper.source)

    @property
    def address(self) -> str:
        return paper_address(self.paper)

    @property
    def doi_address(self) -> str:
        return doi_url(self.paper.doi) if self.paper.doi else ""

    @property
    def abstract(self) -> str:
        """The whole abstract, where the passage is only a part of it."""
        text = one_line(self.paper.abstract or "")
        return text if len(text) > len(self.passage.replace("[[[", "").replace("]]]", "")) + 1 else ""


class PaperListPage(Struct, frozen=True):
    """One page of a list of papers."""

    papers: list[PaperView]
    number: int
    pages: int
    total: int

    @property
    def first(self) -> int:
        return self.papers[0].number if self.papers else 0

    @property
    def last(self) -> int:
        return self.papers[-1].number if self.papers else 0

    @property
    def numbers(self) -> Iterator[int]:
        """The first, the last and those around the current one; 0 for a gap."""
        before = 0
        for number in range(1, self.pages + 1):
            if number in (1, self.pages) or abs(number - self.number) <= NEAR_PAGES:
                if number > before + 1:
                    yield 0
                yield number
                before = number


def paper_page(
    papers: Sequence[Paper], number: int, question: str, marks: Mapping[str, Mark], decided: Mapping[str, Mark]
) -> PaperListPage:
    """The page with this number, or the nearest one that there is. `decided` are marks of earlier rounds."""
    size = limits.REVIEW_PAPERS
    pages = max(1, -(-len(papers) // size))
    number = min(max(number, 1), pages)
    start = (number - 1) * size
    sought = frozenset(stems(question))
    shown = [
        PaperView(
            place,
            paper,
            _marked_words(one_line(best_passage(paper.abstract or "", question)), sought),
            marks.get(paper.id) or decided.get(paper.id),
            paper.id in decided,
        )
        for place, paper in enumerate(papers[start : start + size], start + 1)
    ]
    return PaperListPage(shown, number, pages, len(papers))


def paper_address(paper: Paper) -> str:
    """Where the paper can be read: here, at its DOI, or where its source found it."""
    if "snapshot" in paper.source.split(", ") and ":" not in paper.id:
        return reverse("paper", args=[paper.id])
    return paper_link(paper) or ""


def source_labels(names: str) -> str:
    return ", ".join(source_label(name) for name in names.split(", ") if name)


def source_label(name: str) -> str:
    return KNOWN_SOURCES[name].label if name in KNOWN_SOURCES else name


def _marked_words(text: str, sought: frozenset[str]) -> str:
    plain = text.replace("[[[", "[").replace("]]]", "]")
    return WORD.sub(lambda word: f"[[[{word[0]}]]]" if sought.intersection(stems(word[0])) else word[0], plain)
