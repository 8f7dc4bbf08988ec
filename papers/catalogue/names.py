"""Names as people write them: the facet tables keep them in lower case, the index and the summaries as written."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import orjson
from django.conf.locale import LANG_INFO

from papercore import limits
from papercore.errors import ToolError
from papers.catalogue.paper_links import facet_key
from papers.models import Paper, PaperAuthor
from papers.search import index
from papers.snapshot import served
from papers.texts import stored

_LANGUAGES = {"zh": "Chinese", "zh-cn": "Chinese", "zh-tw": "Chinese (traditional)", "no": "Norwegian"}
_HAS = {"bibtex": "BibTeX", "pdf": "PDF"}


@dataclass
class WrittenNames:
    """Facet values as written, and each paper's authors in order, as far as the summaries say."""

    names: dict[str, dict[str, str]] = field(default_factory=lambda: {"author": {}, "institution": {}, "venue": {}})
    authors: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, category: str, values: Iterable[str]) -> None:
        for value in values:
            self.names[category].setdefault(facet_key(value), value)


def as_written(category: str, value: str) -> str:
    """A facet value as the library's papers write it; unchanged where they do not say."""
    built = index.current()
    known = built.written(category, value) if built else _from_summaries().names.get(category, {}).get(facet_key(value))
    return known or value


def display_name(category: str, value: str) -> str:
    """A facet value for people to read."""
    return facet_labels(category, [as_written(category, value)])[0]


def facet_labels(facet: str, values: Sequence[str]) -> list[str]:
    """Facet values, as written where the library knows it, the way a reader sees them."""
    if facet == "template":
        return [template_name(value) for value in values]
    if facet == "language":
        return [language_name(value) for value in values]
    if facet == "has":
        return [_HAS.get(value, value.capitalize()) for value in values]
    if facet == "author":
        # A name that is only known in lower case gets its capitals by guessing.
        return [name.title() if name.islower() else name for name in values]
    return list(values)


def template_name(template: str) -> str:
    return template.replace("_", " ").replace("-", " ").capitalize()


def language_name(code: str) -> str:
    info = LANG_INFO.get(code.lower(), {})
    return str(_LANGUAGES.get(code.lower()) or info.get("name") or code)


def authors(paper_ids: list[str]) -> dict[str, list[str]]:
    """The authors of papers, in order and as written where that is known."""
    built = index.current()
    if built:
        payloads = built.payloads(paper_ids)
        known = {paper_id: tuple(orjson.loads(payload)["authors"]) for paper_id, payload in payloads.items()}
    else:
        known = _from_summaries().authors
    unknown = _authors_in_tables(paper_id for paper_id in paper_ids if paper_id not in known)
    return {
        paper_id: list(known[paper_id]) if paper_id in known else [name.title() for name in unknown.get(paper_id, [])]
        for paper_id in paper_ids
    }


def _authors_in_tables(paper_ids: Iterable[str]) -> dict[str, list[str]]:
    """The authors as the tables have them: in lower case and in no order."""
    rows = PaperAuthor.objects.filter(paper__in=list(paper_ids)).order_by("author_id")
    names: dict[str, list[str]] = defaultdict(list)
    for paper_id, name in rows.values_list("paper_id", "author__value"):
        names[paper_id].append(name)
    return names


def _from_summaries() -> WrittenNames:
    """What the summaries say, for a library without an index."""
    return _read_summaries(served.facts().build_id)


# Room for two snapshots: the one served, and the one it replaces.
@lru_cache(maxsize=2)
def _read_summaries(build_id: str) -> WrittenNames:
    written = WrittenNames()
    with served.reading():
        written.add("venue", Paper.objects.order_by("-paper_index").values_list("venue", flat=True))
        if Paper.objects.count() > limits.SPELLING_PAPERS:
            return written
        for paper_id, template in Paper.objects.values_list("paper_id", "preferred_summary_template"):
            try:
                document = stored.summary_document(paper_id, template)
            except ToolError:
                continue
            written.add("author", document.paper_authors)
            written.add("institution", document.paper_institutions)
            if document.paper_authors:
                written.authors[paper_id] = tuple(document.paper_authors)
    return written
