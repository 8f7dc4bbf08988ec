"""How names are written: the facet tables keep them in lower case, the summaries as people write them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import orjson

from papercore import limits
from papercore.errors import ToolError
from papercore.retrieval import Index
from papers.models import Paper, PaperAuthor
from papers.search import index
from papers.search.fallback.conditions import normalised
from papers.snapshot import served
from papers.texts import stored


@dataclass
class Spelling:
    """Facet values as written, and each paper's authors in their order, as far as the summaries tell."""

    names: dict[str, dict[str, str]] = field(default_factory=lambda: {"author": {}, "institution": {}, "venue": {}})
    authors: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, category: str, values: Iterable[str]) -> None:
        for value in values:
            self.names[category].setdefault(normalised(value), value)


def written(category: str, value: str) -> str:
    """A facet value as the library's papers write it; as it is, where they do not tell."""
    built = index.current()
    known = built.written(category, value) if built else _summaries().names.get(category, {}).get(normalised(value))
    return known or value


def spelled(category: str, value: str) -> str:
    """A facet value for people to read: a name that is known in lower case alone gets its capitals by guess."""
    name = written(category, value)
    return name.title() if category == "author" and name.islower() else name


def authors(paper_ids: list[str]) -> dict[str, list[str]]:
    """The authors of papers, in their order and spelling where they are known."""
    built = index.current()
    known = _stored_authors(built, paper_ids) if built else _summaries().authors
    unknown = authors_of(paper_id for paper_id in paper_ids if paper_id not in known)
    return {
        paper_id: list(known[paper_id]) if paper_id in known else [name.title() for name in unknown.get(paper_id, [])]
        for paper_id in paper_ids
    }


def authors_of(paper_ids: Iterable[str]) -> dict[str, list[str]]:
    """The authors as the tables have them: in lower case and in no order."""
    rows = PaperAuthor.objects.filter(paper__in=list(paper_ids)).order_by("author_id")
    names: dict[str, list[str]] = defaultdict(list)
    for paper_id, name in rows.values_list("paper_id", "author__value"):
        names[paper_id].append(name)
    return names


def _stored_authors(built: Index, paper_ids: list[str]) -> dict[str, tuple[str, ...]]:
    payloads = built.payloads(paper_ids)
    return {paper_id: tuple(orjson.loads(payload)["authors"]) for paper_id, payload in payloads.items()}


def _summaries() -> Spelling:
    """What the summaries tell, for a library that has no index."""
    return _spelling(served.facts().build_id)


# Two: the served snapshot, and the one that is being replaced.
@lru_cache(maxsize=2)
def _spelling(build_id: str) -> Spelling:
    spelling = Spelling()
    with served.reading():
        spelling.add("venue", Paper.objects.order_by("-paper_index").values_list("venue", flat=True))
        if Paper.objects.count() > limits.SPELLING_PAPERS:
            return spelling
        for paper_id, template in Paper.objects.values_list("paper_id", "preferred_summary_template"):
            _read(spelling, paper_id, template)
    return spelling


def _read(spelling: Spelling, paper_id: str, template: str) -> None:
    try:
        document = stored.summary_document(paper_id, template)
    except ToolError:
        return
    spelling.add("author", document.paper_authors)
    spelling.add("institution", document.paper_institutions)
    if document.paper_authors:
        spelling.authors[paper_id] = tuple(document.paper_authors)
