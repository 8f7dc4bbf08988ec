"""Where a passage is: its address, as in `1a2b/source/17-3fa9c2`, and its place in the search index."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from urllib.parse import quote_plus

import orjson
from msgspec import Struct

from papercore.bibliography.references import is_references_heading
from papercore.passages import CutText, Passage, check_of, cut, cut_once
from papercore.retrieval import PassageCandidate, PassageEntry
from papers.catalogue.lookup import find_paper, paper_url
from papers.catalogue.text_kinds import TextOrigin, origin_of
from papers.snapshot.errors import PassageNotFound
from papers.snapshot.models import Paper
from papers.snapshot.queries import papers_with_ids
from papers.snapshot.served import connection
from papers.texts.named import ABSTRACT, NamedText, texts_of, texts_of_papers

_ADDRESS = re.compile(
    r"(?P<paper>.+)/(?P<text>abstract|source|(?:summary|translation):[A-Za-z0-9_.:-]{1,128})"
    r"/(?P<number>\d{1,7})(?:-(?P<check>[0-9a-f]{6}))?",
    re.DOTALL,
)
# Code and formulas have few words, and none that a question would have.
_SEARCHED = ("text", "item", "table")


class LocatedPassage(Struct, frozen=True, dict=True):
    """A passage of a paper, and where it is."""

    paper: Paper
    # The name of the text it is in.
    text: str
    number: int
    block: int
    page: int | None
    # The headings above it.
    path: tuple[str, ...]
    quote: str

    @property
    def address(self) -> str:
        return f"{self.paper.paper_id}/{self.text}/{self.place}"

    @property
    def place(self) -> str:
        return f"{self.number}-{self.check}"

    @cached_property
    def origin(self) -> TextOrigin:
        return origin_of(self.paper, self.text, self.quote)

    @cached_property
    def check(self) -> str:
        return check_of(self.quote)

    @property
    def section(self) -> str:
        """The headings above it, without one that repeats the paper's title."""
        return " > ".join(headings_below(self.paper.title, self.path))

    @property
    def link(self) -> str:
        return passage_url(self.paper.paper_id, self.text, self.place, self.block)


class TextPassage(Struct, frozen=True):
    """A passage in a text that was cut."""

    source: NamedText
    cut: CutText
    passage: Passage

    @property
    def located(self) -> LocatedPassage:
        passage = self.passage
        quote, path = self.cut.quote(passage), self.cut.path(passage)
        return LocatedPassage(
            self.source.paper, self.source.name, passage.number, passage.block, passage.page, path, quote
        )


def headings_below(title: str, path: tuple[str, ...]) -> tuple[str, ...]:
    return path[1:] if path and path[0].casefold() == title.casefold() else path


def passage_url(paper_id: str, text: str, place: str, block: int) -> str:
    """The page of a text at a passage: the passage to mark in the query, the anchor of its block in the fragment."""
    marked = f"?passage={quote_plus(place)}"
    if text == ABSTRACT:
        return f"{paper_url(paper_id)}{marked}#abstract"
    view, _, part = text.partition(":")
    return f"{paper_url(paper_id, view, part)}{marked}#p-{block}"


def split_address(address: str) -> tuple[str, str] | None:
    """The paper's name and the text's name in an address; None for what is not one."""
    match = _ADDRESS.fullmatch(address.strip())
    return (match["paper"], match["text"]) if match else None


def find_passage(address: str) -> TextPassage:
    """The passage at an address. One that moved because its text changed is found by its check."""
    match = _ADDRESS.fullmatch(address.strip())
    if match is None:
        raise PassageNotFound(
            "This is no address of a passage. It has the form paper_id/source/17-3fa9c2; search_passages and"
            " get_paper_outline give addresses."
        )
    source = texts_of(find_paper(match["paper"])).read(match["text"])
    text = cut(source.text)
    passage = text.find(int(match["number"]), match["check"] or "")
    if passage is None:
        raise PassageNotFound(
            f"The text has no such passage (it has {len(text.passages)}), or it was changed. Call get_paper_outline for"
            " addresses as they are now.",
            paper_id=source.paper.paper_id,
        )
    return TextPassage(source, text, passage)


class PlacedCandidate(Struct, frozen=True):
    """A passage that may answer a query, read from its text, and how well its paper fits."""

    located: LocatedPassage
    fit: float


def passage_entries(paper_id: str, title: str, texts: Iterable[tuple[str, str]]) -> Iterator[PassageEntry]:
    """The passages of a paper's texts, given by name and content, for the index; of equal texts the first one's."""
    seen: set[str] = set()
    for name, content in texts:
        if content in seen:
            continue
        seen.add(content)
        text = cut_once(content)
        for passage in searched_passages(text):
            path = text.path(passage)
            place = [passage.number, passage.block, passage.start, passage.end, passage.page, *path]
            headings = " ".join(headings_below(title, path))
            yield PassageEntry(text.quote(passage), headings, orjson.dumps([paper_id, name, *place]))


def searched_passages(text: CutText) -> Iterator[Passage]:
    """Those that may be evidence: what a paper says, and not the titles that it cites."""
    for passage in text.passages:
        if passage.kind in _SEARCHED and not any(map(is_references_heading, text.path(passage))):
            yield passage


def read_candidates(candidates: Sequence[PassageCandidate]) -> Iterator[PlacedCandidate]:
    """The passages in their texts, each text read once; those whose text cannot be read are left out."""
    places = [orjson.loads(candidate.payload) for candidate in candidates]
    texts = texts_of_papers(papers_with_ids(connection(), {place[0] for place in places}).values())
    read: dict[tuple[str, str], NamedText | None] = {}
    for candidate, (paper_id, name, number, block, start, end, page, *path) in zip(candidates, places, strict=True):
        if (paper_id, name) not in read:
            read[paper_id, name] = texts[paper_id].find(name) if paper_id in texts else None
        text = read[paper_id, name]
        if text and (quote := text.text[start:end]):
            located = LocatedPassage(text.paper, name, number, block, page, tuple(path), quote)
            yield PlacedCandidate(located, candidate.fit)
