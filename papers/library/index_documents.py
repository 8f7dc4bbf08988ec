"""Turns the papers of a snapshot into documents for the search index, a part of them at a time."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path

import orjson
from msgspec import Struct

from ingest.workers import PAPERS_WORTH_PROCESSES, Workers, parts_of
from papercore.errors import ToolError
from papercore.retrieval import Document
from papercore.snapshot.assets import AssetStore
from papercore.snapshot.file import Connection, open_read_only
from papercore.snapshot.fulltext import without_cjk_blanks
from papercore.snapshot.layout import preferred_summary_key, source_key, summary_key, translation_key
from papers.catalogue.paper_links import Links, facet_key, links_of_papers, year_number
from papers.passages.indexed import passage_entries
from papers.search.list_query import Facet
from papers.texts import stored
from papers.texts.named import ABSTRACT, SOURCE, SUMMARY, TRANSLATION

# In the order in which a hit names the ones it matched; pages have an order of their own.
FACETS: tuple[Facet, ...] = ("author", "venue", "keyword", "institution", "tag", "template", "language", "has")
# Those whose values are in tables with counts.
COUNTED: tuple[Facet, ...] = ("author", "venue", "keyword", "institution", "tag")
# So many values of a facet are counted apart: of 110,486 papers they have a fifth of all authors.
FREQUENT = 1_024
_COMMONEST = "SELECT value FROM {0} ORDER BY paper_count DESC LIMIT ?"
# The full-text table holds every text in plain words; a paper may be missing from it.
_TEXTS = "SELECT summary, source, translated FROM paper_fts WHERE rowid = ?"
# Builds give a paper the same row in both tables; otherwise all of it would have to be looked through.
_SAME_ROW = """
SELECT f.rowid FROM paper AS p JOIN paper_fts AS f ON f.rowid = p.rowid
WHERE p.paper_id = ? AND f.paper_id = p.paper_id
"""
_ANY_ROW = "SELECT rowid FROM paper_fts WHERE paper_id = ?"
_PAPERS = """
SELECT paper_id, title, year, venue, doi, summary_preview, output_language, source_md_content_hash, pdf_content_hash
FROM paper WHERE paper_id IN (SELECT value FROM json_each(?))
"""
_TRANSLATIONS = "SELECT lang, md_content_hash FROM paper_translation WHERE paper_id = ?"

# A paper's id, and its row in the full-text table, if it has one.
_Place = tuple[str, int | None]


class PaperRow(Struct, frozen=True):
    title: str
    year: str
    venue: str
    doi: str | None
    summary_preview: str
    output_language: str | None
    source_md_content_hash: str | None
    pdf_content_hash: str | None


class PlainTexts(Struct, frozen=True):
    summary: str = ""
    source: str = ""
    translated: str = ""


def count(database: Path) -> int:
    with closing(open_read_only(database)) as connection:
        return int(connection.execute("SELECT count(*) FROM paper").fetchone()[0])


def frequent_values(database: Path) -> dict[str, list[str]]:
    """The commonest values of facets that have many more."""
    with closing(open_read_only(database)) as connection:
        rows = {name: connection.execute(_COMMONEST.format(name), [FREQUENT + 1]).fetchall() for name in COUNTED}
    found = {name: [str(value) for (value,) in values] for name, values in rows.items()}
    return {name: values[:FREQUENT] for name, values in found.items() if len(values) > FREQUENT}


def documents(database: Path, store: AssetStore, workers: Workers | None = None) -> Iterator[Document]:
    """Every paper of a snapshot of the format, older ones included. Of many papers, workers read the parts."""
    read = partial(_documents_at, database, store)
    with closing(open_read_only(database)) as connection:
        parts = parts_of(_places(connection))
        many = count(database) >= PAPERS_WORTH_PROCESSES
        yield from chain.from_iterable(workers.map(read, parts) if workers and many else map(read, parts))


def documents_of(database: Path, store: AssetStore, paper_ids: Sequence[str]) -> Iterator[Document]:
    """Those of these papers that the snapshot has."""
    with closing(open_read_only(database)) as connection:
        places = [(paper_id, _row_of(connection, paper_id)) for paper_id in paper_ids]
    for part in parts_of(places):
        yield from _documents_at(database, store, part)


def _places(connection: Connection) -> Iterator[_Place]:
    seen: set[str] = set()
    for row, paper_id in connection.execute("SELECT rowid, paper_id FROM paper_fts"):
        if paper_id not in seen:
            seen.add(paper_id)
            yield paper_id, row
    for (paper_id,) in connection.execute("SELECT paper_id FROM paper"):
        if paper_id not in seen:
            yield paper_id, None


def _row_of(connection: Connection, paper_id: str) -> int | None:
    for query in (_SAME_ROW, _ANY_ROW):
        if found := connection.execute(query, [paper_id]).fetchone():
            return int(found[0])
    return None


def _documents_at(database: Path, store: AssetStore, places: Sequence[_Place]) -> list[Document]:
    """Those of the papers that are in the table of papers."""
    paper_ids = [paper_id for paper_id, _ in places]
    with closing(open_read_only(database)) as connection:
        found = connection.execute(_PAPERS, [json.dumps(paper_ids)])
        rows = {paper_id: PaperRow(*values) for paper_id, *values in found}
        links = links_of_papers(connection, list(rows))
        return [
            _document(connection, store, paper_id, rows[paper_id], links[paper_id], _texts_in(connection, place))
            for paper_id, place in places
            if paper_id in rows
        ]


def _texts_in(connection: Connection, place: int | None) -> PlainTexts:
    texts = connection.execute(_TEXTS, [place]).fetchone() if place is not None else ()
    return PlainTexts(*(without_cjk_blanks(text or "") for text in texts))


def _document(
    connection: Connection, store: AssetStore, paper_id: str, row: PaperRow, links: Links, texts: PlainTexts
) -> Document:
    summary = _summary(store, preferred_summary_key(paper_id))
    year = year_number(row.year)
    authors = summary.paper_authors or [name.title() for name in links["author"]]
    return Document(
        id=paper_id,
        title=row.title,
        text=_short_text(summary, texts.summary, row.summary_preview),
        body="\n\n".join(filter(None, (texts.source, texts.translated))),
        year=year,
        identifiers=_identifiers(row, links["key"]),
        facets=_facets(row, links, authors, summary),
        payload=orjson.dumps({"title": row.title, "year": year, "venue": row.venue, "authors": authors}),
        passages=tuple(passage_entries(paper_id, row.title, _texts(connection, store, paper_id, row, links, summary))),
    )


def _short_text(preferred: stored.SummaryDocument, summaries: str, preview: str) -> str:
    """The abstract and the summaries. A paper without a summary has its abstract as one, which counts once."""
    if summaries and preferred.abstract == preferred.summary:
        return summaries
    return "\n\n".join(filter(None, (preferred.abstract, summaries or preview)))


def _texts(
    connection: Connection,
    store: AssetStore,
    paper_id: str,
    row: PaperRow,
    links: Links,
    preferred: stored.SummaryDocument,
) -> Iterator[tuple[str, str]]:
    """The paper's texts as `papers.texts.named` reads them: by name, what says most in few words first."""
    if preferred.abstract:
        yield ABSTRACT, preferred.abstract
    for template in links["template"]:
        yield SUMMARY + template, _summary(store, summary_key(paper_id, template)).summary
    keys = [(SOURCE, source_key(row.source_md_content_hash))] if row.source_md_content_hash else []
    if links["language"]:
        found = connection.execute(_TRANSLATIONS, [paper_id])
        keys += [(TRANSLATION + lang, translation_key(lang, sha256)) for lang, sha256 in found]
    for name, key in keys:
        try:
            yield name, store.read(key).decode("utf-8")
        except (ToolError, UnicodeDecodeError):
            continue


def _summary(store: AssetStore, key: str) -> stored.SummaryDocument:
    """A document with a summary, the abstract, and the authors in their order and spelling; empty if it is broken."""
    try:
        return stored.parse_summary(store.read(key).decode("utf-8", "replace"))
    except ToolError:
        return stored.SummaryDocument()


def _identifiers(row: PaperRow, keys: list[str]) -> tuple[str, ...]:
    found = [row.doi or "", *(key.partition(":")[2] for key in keys)]
    return tuple(dict.fromkeys(filter(None, found)))


def _facets(
    row: PaperRow, links: Links, authors: list[str], summary: stored.SummaryDocument
) -> dict[str, tuple[str, ...]]:
    """The values of the snapshot's own tables, so that lists, filters and counts agree, as people write them."""
    present = {
        "source": row.source_md_content_hash,
        "translation": links["language"],
        "bibtex": links["bibtex"],
        "pdf": row.pdf_content_hash,
    }
    return {
        "author": _as_written(links["author"], authors),
        "venue": _as_written(links["venue"], [row.venue]),
        "keyword": _as_written(links["keyword"], summary.keywords),
        "institution": _as_written(links["institution"], summary.paper_institutions),
        "tag": tuple(links["tag"]),
        "template": tuple(links["template"]),
        "language": tuple(dict.fromkeys(filter(None, (row.output_language, *links["language"])))),
        "has": tuple(name for name, value in present.items() if value),
    }


def _as_written(values: list[str], names: list[str]) -> tuple[str, ...]:
    """Lower-case values of the tables as the paper's own metadata spells them."""
    spelling = {facet_key(name): name.strip() for name in names}
    return tuple(spelling.get(value) or value for value in values)
