"""What the snapshot's other tables say about papers: authors, facet values, texts, keys. One query for many papers."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, get_args

Linked = Literal["author", "venue", "keyword", "tag", "institution", "template", "language", "key", "bibtex"]
Kind = Linked | Literal["title", "source", "pdf"]
LINKED: tuple[Kind, ...] = get_args(Linked)
# What tells that a paper is there, and which texts it has.
TEXT_KINDS: tuple[Kind, ...] = ("title", "template", "language", "source", "bibtex", "pdf")
Links = dict[str, list[str]]

_FACET = "SELECT paper_id, '{0}', value FROM shown JOIN paper_{0} USING (paper_id) JOIN {0} USING ({0}_id)"
_SELECT: dict[Kind, str] = {
    "author": _FACET.format("author"),
    "venue": _FACET.format("venue"),
    "keyword": _FACET.format("keyword"),
    "tag": _FACET.format("tag"),
    "institution": _FACET.format("institution"),
    "template": "SELECT paper_id, 'template', template_tag FROM shown JOIN paper_summary USING (paper_id)",
    "language": "SELECT paper_id, 'language', lang FROM shown JOIN paper_translation USING (paper_id)",
    "key": "SELECT paper_id, 'key', paper_key FROM shown JOIN paper_key_alias USING (paper_id)"
    " WHERE paper_key_type IN ('doi', 'arxiv')",
    "bibtex": "SELECT paper_id, 'bibtex', '' FROM shown JOIN paper_bibtex USING (paper_id)",
    "title": "SELECT paper_id, 'title', title FROM shown JOIN paper USING (paper_id)",
    "source": "SELECT paper_id, 'source', source_md_content_hash FROM shown JOIN paper USING (paper_id)"
    " WHERE source_md_content_hash IS NOT NULL",
    "pdf": "SELECT paper_id, 'pdf', pdf_content_hash FROM shown JOIN paper USING (paper_id)"
    " WHERE pdf_content_hash IS NOT NULL",
}


class Queryable(Protocol):
    """A connection to a snapshot: the one that is served, or SQLite's own."""

    def execute(self, sql: str, parameters: dict[str, str], /) -> Iterable[tuple[str, str, str]]: ...


def year_number(text: str) -> int | None:
    """A year or month of the snapshot, where `unknown` and worse occur."""
    return int(text) if text.isascii() and text.isdigit() else None


def facet_key(value: str) -> str:
    """How the snapshot's facet tables write a value: lower case, spaces collapsed."""
    return " ".join(value.lower().split())


def links_of_papers(snapshot: Queryable, paper_ids: Sequence[str], kinds: Sequence[Kind] = LINKED) -> dict[str, Links]:
    """By paper and kind, in alphabetical order; a kind without any value is an empty list."""
    # In one statement: a query per table through the ORM costs ten times as much.
    selects = " UNION ALL ".join(_SELECT[kind] for kind in kinds)
    sql = f"WITH shown (paper_id) AS (SELECT value FROM json_each(:ids)) {selects}"  # noqa: S608 (our own constants)
    found: dict[str, Links] = {paper_id: defaultdict(list) for paper_id in paper_ids}
    for paper_id, kind, value in snapshot.execute(sql, {"ids": json.dumps(list(paper_ids))}):
        found[paper_id][kind].append(value)
    for links in found.values():
        for values in links.values():
            values.sort(key=str)
    return found


def links_of(snapshot: Queryable, paper_id: str) -> Links:
    """Everything the tables say about one paper."""
    return links_of_papers(snapshot, [paper_id])[paper_id]
