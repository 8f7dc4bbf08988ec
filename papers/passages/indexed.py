"""Passages as the search index holds them: cut from a paper's texts, and found again in them by their place."""

from collections.abc import Iterable, Iterator, Sequence

import orjson
from msgspec import Struct

from papercore.bibliography.references import is_references_heading
from papercore.passages import CutText, Passage, cut_once
from papercore.retrieval import PassageCandidate, PassageEntry
from papers.passages.addresses import LocatedPassage, headings_below
from papers.snapshot.queries import papers_with_ids
from papers.snapshot.served import connection
from papers.texts.named import NamedText, texts_of_papers

# Code and formulas have few words, and none that a question would have.
_SEARCHED = ("text", "item", "table")


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
