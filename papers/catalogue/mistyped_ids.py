"""Finds the papers that a mistyped id may have meant."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from papercore.errors import PageLink, ToolError
from papercore.retrieval import Request
from papers.catalogue.paper_links import Kind, Links, links_of_papers
from papers.catalogue.schemas import ID_PATTERN
from papers.search.results import ListedPaper, list_papers
from papers.snapshot.served import connection, reading

SUGGESTED_PAPERS = 3
# Papers with one of the words that are looked at, and words that are; an address is hardly longer.
CANDIDATES, WORDS = 20, 12
NAMES: tuple[Kind, ...] = ("title", "author", "venue", "keyword", "tag")
# How much two spellings of a word must share, from 0 to 1.
SAME_WORD = 0.8


def papers_named_like(paper_id: str) -> Sequence[PageLink]:
    """Papers whose names hold every word of the id, or nearly; an id of digits alone has none."""
    words = re.findall(r"[a-z]{3,}", paper_id.lower())[:WORDS]
    try:
        found = list_papers(Request(" ".join(words), limit=CANDIDATES, mode="words")).papers if words else []
        papers = _named(found, words)[:SUGGESTED_PAPERS]
    except ToolError:
        return ()
    return [
        PageLink(
            title=paper.title,
            id=paper.paper_id,
            route="paper",
            arguments={"paper_id": paper.paper_id},
            note=f"{', '.join(paper.authors)} · {paper.year or 'n.d.'}",
        )
        for paper in papers
        if re.match(ID_PATTERN, paper.paper_id)  # otherwise it has no page
    ]


def _named(papers: list[ListedPaper], words: list[str]) -> list[ListedPaper]:
    """The papers whose title, names or id hold each of the words, but for a typing mistake."""
    with reading():
        links = links_of_papers(connection(), [paper.paper_id for paper in papers], NAMES)
    return [paper for paper in papers if _holds(links[paper.paper_id], paper.paper_id, words)]


def _holds(links: Links, paper_id: str, words: list[str]) -> bool:
    names = " ".join([paper_id, *(value for kind in NAMES for value in links[kind])])
    vocabulary = re.findall(r"[^\W\d_]{3,}", names.lower())
    return all(get_close_matches(word, vocabulary, n=1, cutoff=SAME_WORD) for word in words)
