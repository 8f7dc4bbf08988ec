"""Names as people write them: the facet tables keep them in lower case, the index and the summaries as written."""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import orjson
from django.conf.locale import LANG_INFO

from papercore import limits
from papercore.errors import ToolError
from papercore.retrieval import Index
from papers.catalogue.paper_links import facet_key
from papers.snapshot import index, served
from papers.snapshot.models import Paper, PaperAuthor
from papers.texts import stored

_LANGUAGES = {"zh": "Chinese", "zh-cn": "Chinese", "zh-tw": "Chinese (traditional)", "no": "Norwegian"}
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


def template_name(template: str) -> str:
    return template.replace("_", " ").replace("-", " ").capitalize()


def language_name(code: str) -> str:
    info = LANG_INFO.get(code.lower(), {})
    return str(_LANGUAGES.get(code.lower()) or info.get("name") or code)


def text_name(text: str) -> str:
    """A text of a paper, named as in addresses, the way a reader tells it from the others of its kind."""
    kind, _, part = text.partition(":")
    return template_name(part) if kind == "summary" else text_kind(text)


def text_kind(text: str) -> str:
    """What such a text is."""
    kind, _, part = text.partition(":")
    return language_name(part) if kind == "translation" else kind.capitalize()


def authors(paper_ids: list[str]) -> dict[str, list[str]]:
    """The authors of papers, in order and as written where that is known."""
    known = index.ask(lambda built: _indexed_authors(built, paper_ids), lambda: dict(_authors_in_summaries(paper_ids)))
    unknown = _authors_in_tables(paper_id for paper_id in paper_ids if not known.get(paper_id))
    return {
        paper_id: list(known.get(paper_id, ())) or [name.title() for name in unknown.get(paper_id, [])]
        for paper_id in paper_ids
    }


def _indexed_authors(built: Index, paper_ids: list[str]) -> dict[str, tuple[str, ...]]:
    payloads = built.payloads(paper_ids)
    return {paper_id: tuple(orjson.loads(payload)["authors"]) for paper_id, payload in payloads.items()}


def _authors_in_tables(paper_ids: Iterable[str]) -> dict[str, list[str]]:
    """The authors as the tables have them: in lower case and in no order."""
    rows = PaperAuthor.objects.filter(paper__in=list(paper_ids)).order_by("author_id")
    names: dict[str, list[str]] = defaultdict(list)
    for paper_id, name in rows.values_list("paper_id", "author__value"):
        names[paper_id].append(name)
    return names


def _authors_in_summaries(paper_ids: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the papers' own documents say. A list does not wait longer for a slow store than for one text."""
    version, deadline = served.version(), time.monotonic() + limits.ASSET_SECONDS
    for paper_id in paper_ids:
        try:
            yield paper_id, _stored_authors(version, paper_id)
        except ToolError:
            continue
        if time.monotonic() > deadline:
            return


# Errors are not kept: a store that answers again is read again.
@lru_cache(maxsize=20_000)
def _stored_authors(version: int, paper_id: str) -> tuple[str, ...]:
    return tuple(stored.preferred_document(paper_id).paper_authors)


def _known_spellings(category: str, values: Sequence[str]) -> list[str | None]:
    return index.ask(
        lambda built: [built.written(category, value) for value in values],
        lambda: [_spelling_in_papers(category, value) for value in values],
    )


def _spelling_in_papers(category: str, value: str) -> str | None:
    if category not in _SPELLED:
        return None
    try:
        return _stored_spelling(served.version(), category, facet_key(value))
    except ToolError:
        return None


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
        document = stored.preferred_document(paper.paper_id)
        written = {
            "author": document.paper_authors,
            "institution": document.paper_institutions,
            "keyword": document.keywords,
        }[category]
    return next((name for name in written if facet_key(name) == key), None)
