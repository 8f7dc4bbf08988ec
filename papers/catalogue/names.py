"""Names as people write them: the facet tables keep them in lower case, the index and the summaries as written."""

import time
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from papercore import limits
from papercore.errors import ToolError
from papercore.snapshot.file import facet_key
from papers.catalogue.text_kinds import language_name, template_name
from papers.snapshot import served
from papers.snapshot.assets import read_preferred_document
from papers.snapshot.models import Paper
from papers.snapshot.queries import links_of_papers
from papers.snapshot.served import indexed_paper

_HAS = {"bibtex": "BibTeX", "pdf": "PDF"}
_SPELLED = ("author", "venue", "keyword", "institution")


def as_written(category: str, values: Sequence[str]) -> list[str]:
    """Facet values as the library's papers write them; unchanged where they do not say."""
    known = _known_spellings(category, values)
    return [spelling or value for spelling, value in zip(known, values, strict=True)]


def display_name(category: str, value: str) -> str:
    return display_names(category, [value])[0]


def display_names(category: str, values: Sequence[str]) -> list[str]:
    """Facet values for people to read. An author whose spelling is not known gets capitals by guessing."""
    known = _known_spellings(category, values)
    if category == "author":
        return [
            (value.title() if value.islower() else value) if spelling is None else spelling or value
            for spelling, value in zip(known, values, strict=True)
        ]
    return facet_labels(category, [spelling or value for spelling, value in zip(known, values, strict=True)])


def facet_labels(facet: str, values: Sequence[str]) -> list[str]:
    """Facet values, as written where the library knows it, the way a reader sees them."""
    if facet == "template":
        return [template_name(value) for value in values]
    if facet == "language":
        return [language_name(value) for value in values]
    if facet == "has":
        return [_HAS.get(value, value.capitalize()) for value in values]
    return list(values)


def authors_of(paper_ids: Sequence[str]) -> dict[str, list[str]]:
    """The authors of papers: in order and as written by the index or the papers' documents, else by the tables."""
    known = served.ask_index(
        lambda built: {key: indexed_paper(payload).authors for key, payload in built.payloads(paper_ids).items()},
        lambda: _authors_in_documents(paper_ids),
    )
    unknown = [paper_id for paper_id in paper_ids if not known.get(paper_id)]
    # The tables have them in lower case and in no order.
    links = links_of_papers(served.connection(), unknown, ["author"]) if unknown else {}
    return known | {paper_id: [name.title() for name in links[paper_id]["author"]] for paper_id in unknown}


def _authors_in_documents(paper_ids: Sequence[str]) -> dict[str, list[str]]:
    """A list does not wait longer for a slow store than for one text."""
    found: dict[str, list[str]] = defaultdict(list)
    version, deadline = served.version(), time.monotonic() + limits.ASSET_SECONDS
    for paper_id in paper_ids:
        try:
            found[paper_id] = list(_stored_authors(version, paper_id))
        except ToolError:
            continue
        if time.monotonic() > deadline:
            break
    return found


# A library without an index reads a file for each paper of a list. Errors are not kept: a store that answers again is
# read again.
@lru_cache(maxsize=20_000)
def _stored_authors(version: int, paper_id: str) -> tuple[str, ...]:
    return tuple(read_preferred_document(paper_id).paper_authors)


def _known_spellings(category: str, values: Sequence[str]) -> list[str | None]:
    """None where neither the index nor a paper says how a value is written."""

    def spelling_in_papers(value: str) -> str | None:
        if category not in _SPELLED:
            return None
        try:
            return _stored_spelling(served.version(), category, facet_key(value))
        except ToolError:
            return None

    return served.ask_index(
        lambda built: [built.written(category, value) for value in values],
        lambda: [spelling_in_papers(value) for value in values],
    )


@lru_cache(maxsize=20_000)
def _stored_spelling(version: int, category: str, key: str) -> str | None:
    """The spelling in one of the papers that have the value: a library of any size needs no more than it shows."""
    with served.reading():
        # Any of them: first() would sort all the papers of a venue.
        paper = next(iter(Paper.objects.filter(**{f"{category}s__value": key})[:1]), None)
    if paper is None:
        return None
    if category == "venue":
        written = [paper.venue]
    else:
        document = read_preferred_document(paper.paper_id)
        written = {
            "author": document.paper_authors,
            "institution": document.paper_institutions,
            "keyword": document.keywords,
        }[category]
    return next((name for name in written if facet_key(name) == key), None)
