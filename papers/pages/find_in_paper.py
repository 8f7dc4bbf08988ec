"""Places in one paper: those that words or a meaning are found at, and the passage that a link names."""

from collections import Counter
from urllib.parse import urlencode

from django.http import HttpRequest
from msgspec import Struct

from papercore import limits
from papercore.errors import InvalidInput, ToolError
from papercore.passages.ranking import sought_in
from papercore.rendering import Heading
from papercore.retrieval import NO_FILTERS
from papercore.text import folded_words, one_line
from papers.catalogue.lookup import paper_url
from papers.catalogue.schemas import PaperMetadata
from papers.passages.addresses import find_passage
from papers.passages.marked import marked_words, plain_passage
from papers.search.passages import find_passages
from papers.texts.named import ABSTRACT, SOURCE
from papers.texts.rendered import Shown, TextChoice

# More than anybody steps through.
MOST_PLACES = 100


class Place(Struct, frozen=True):
    """A passage with the words, and the address that opens it as the current one."""

    url: str
    section: str
    marked: str
    # Of its block on the page, and its words as they are read there.
    anchor: str
    words: str


class OutlineEntry(Struct, frozen=True):
    heading: Heading
    # Places in the section and in those below it.
    places: int


class FoundInPaper(Struct, frozen=True):
    """What was looked for, where it is in the text shown, and how often it is in the paper's other texts."""

    words: str
    places: list[Place]
    # Counts from 1; 0 before the first is opened.
    current: int
    outline: list[OutlineEntry]
    elsewhere: list[tuple[str, str, int]]

    @property
    def previous(self) -> Place | None:
        return self.places[self.current - 2] if self.current > 1 else None

    @property
    def next(self) -> Place | None:
        return self.places[self.current] if self.current < len(self.places) else None


class OpenedPassage(Struct, frozen=True):
    """Where it is on the page, and its words as they are read there; without an anchor it is nowhere."""

    anchor: str = ""
    words: str = ""
    in_abstract: bool = False
    # The page of the PDF that it is on.
    page: int | None = None


def find_in_paper(
    request: HttpRequest, paper: PaperMetadata, choices: list[TextChoice], shown: Shown
) -> FoundInPaper | None:
    """The places of the words in `find`; None if nothing is looked for. `hit` is the one that is opened."""
    words = one_line(request.GET.get("find", ""))
    if len(words) > limits.QUERY_CHARS:
        raise InvalidInput(f"find: must have at most {limits.QUERY_CHARS} characters.")
    if not words:
        return None
    located = [found.located for found in find_passages(words, NO_FILTERS, (paper.paper_id,), MOST_PLACES)]
    phrase = _folded(words)
    here = [item for item in located if item.text == shown.choice.key]
    # The words as they were typed first, then the others, each the best first.
    here.sort(key=lambda item: phrase not in _folded(item.quote))
    sections = Counter(heading for item in here for heading in set(item.path))
    hit = request.GET.get("hit", "")
    current = int(hit) if hit.isascii() and hit.isdigit() and len(hit) < 5 else 0
    places, sought = [], sought_in(words)
    for number, item in enumerate(here, 1):
        quote, anchor = one_line(item.quote), f"p-{item.block}"
        url = f"{_url(paper, item.text, words, number)}#{anchor}"
        places.append(Place(url, item.section, marked_words(quote, sought), anchor, plain_passage(quote)))
    counts = Counter(item.text for item in located)
    elsewhere = [choice for choice in choices if choice != shown.choice and counts[choice.key]]
    return FoundInPaper(
        words,
        places,
        min(current, len(here)),
        [OutlineEntry(heading, sections[heading.text]) for heading in shown.rendered.outline],
        [(choice.label, _url(paper, choice.key, words), counts[choice.key]) for choice in elsewhere],
    )


def _folded(text: str) -> str:
    return f" {' '.join(folded_words(text))} "


def _url(paper: PaperMetadata, text: str, words: str, number: int = 0) -> str:
    view, _, part = text.partition(":")
    given: dict[str, str | int] = {"find": words, "hit": number} if number else {"find": words}
    return f"{paper_url(paper.paper_id, view, part)}?{urlencode(given)}"


def opened_passage(
    request: HttpRequest, paper: PaperMetadata, text: str, found: FoundInPaper | None
) -> OpenedPassage | None:
    """The passage that is opened in a text: by the link's `passage`, or as a place that was found."""
    if found and found.current:
        place = found.places[found.current - 1]
        return OpenedPassage(place.anchor, place.words)
    named = request.GET.get("passage", "")
    if not named or len(named) > limits.ID_CHARS:
        return None
    try:
        located = find_passage(f"{paper.paper_id}/{text}/{named}").located
    except ToolError:
        return OpenedPassage()
    words = plain_passage(located.quote)
    if located.text == ABSTRACT:
        return OpenedPassage("abstract", words, in_abstract=True)
    page = located.page if paper.has_pdf and text == SOURCE else None
    return OpenedPassage(f"p-{located.block}", words, page=page)
