"""The address of a passage: paper, text, number and a check, as in `1a2b/source/17-3fa9c2`."""

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from papercore.passages import CutText, Passage, cut
from papers.catalogue.paper_lookup import find_paper
from papers.errors import PassageNotFound
from papers.pages.links import paper_url
from papers.texts.named import ABSTRACT, NamedText, read_named

_ADDRESS = re.compile(
    r"(?P<paper>.+)/(?P<text>abstract|source|(?:summary|translation):[A-Za-z0-9_.:-]{1,128})"
    r"/(?P<number>\d{1,7})(?:-(?P<check>[0-9a-f]{6}))?",
    re.DOTALL,
)


@dataclass(frozen=True)
class LocatedPassage:
    """A passage in a text of a paper."""

    source: NamedText
    cut: CutText
    passage: Passage

    @property
    def address(self) -> str:
        return f"{self.source.paper.paper_id}/{self.source.name}/{self.place}"

    @property
    def place(self) -> str:
        return f"{self.passage.number}-{self.cut.check(self.passage)}"

    @property
    def section(self) -> str:
        """The headings above it, without one that repeats the paper's title."""
        path = self.cut.path(self.passage)
        if path and path[0].casefold() == self.source.paper.title.casefold():
            path = path[1:]
        return " > ".join(path)

    @property
    def link(self) -> str:
        return passage_url(self.source.paper.paper_id, self.source.name, self.place, self.passage.block)


def passage_url(paper_id: str, text: str, place: str, block: int) -> str:
    """The page of a text at a passage: the passage to mark in the query, the anchor of its block in the fragment."""
    if text == ABSTRACT:
        return f"{paper_url(paper_id)}?{urlencode({'passage': place})}#abstract"
    view, _, part = text.partition(":")
    return f"{paper_url(paper_id, view, part)}?{urlencode({'passage': place})}#p-{block}"


def split_address(address: str) -> tuple[str, str] | None:
    """The paper's name and the text's name in an address; None for what is not one."""
    match = _ADDRESS.fullmatch(address.strip())
    return (match["paper"], match["text"]) if match else None


def find_passage(address: str) -> LocatedPassage:
    """The passage at an address. One that moved because its text changed is found by its check."""
    match = _ADDRESS.fullmatch(address.strip())
    if match is None:
        raise PassageNotFound(
            "This is no address of a passage. It has the form paper_id/source/17-3fa9c2; search_passages and"
            " get_paper_outline give addresses."
        )
    source = read_named(find_paper(match["paper"]), match["text"])
    text = cut(source.text)
    passage = text.find(int(match["number"]), match["check"] or "")
    if passage is None:
        raise PassageNotFound(
            f"The text has no such passage (it has {len(text.passages)}), or it was changed. Call get_paper_outline for"
            " addresses as they are now.",
            paper_id=source.paper.paper_id,
        )
    return LocatedPassage(source, text, passage)
