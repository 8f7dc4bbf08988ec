"""Turns the papers of a snapshot into documents for the search index, a part of them at a time."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path

from ingest.workers import PAPERS_WORTH_PROCESSES, Workers, parts_of
from papercore.retrieval import Document
from papercore.snapshot.assets import AssetStore
from papercore.snapshot.file import open_read_only
from papercore.snapshot.fulltext import without_cjk_blanks
from papers.catalogue.metadata import spelled
from papers.passages.indexed import passage_entries
from papers.search.list_query import Facet
from papers.snapshot import queries
from papers.snapshot.index import IndexedPaper
from papers.snapshot.models import year_number
from papers.snapshot.queries import FulltextRow, Links
from papers.texts.named import PaperTexts, texts_of_papers

# In the order in which a hit names the ones it matched; pages have an order of their own.
FACETS: tuple[Facet, ...] = ("author", "venue", "keyword", "institution", "tag", "template", "language", "has")


def count(database: Path) -> int:
    with closing(open_read_only(database)) as connection:
        return queries.paper_count(connection)


def documents(database: Path, store: AssetStore, workers: Workers | None = None) -> Iterator[Document]:
    """Every paper of a snapshot of the format, older ones included. Of many papers, workers read the parts."""
    read = partial(_documents_at, database, store)
    with closing(open_read_only(database)) as connection:
        parts = parts_of(queries.fulltext_rows(connection))
        many = queries.paper_count(connection) >= PAPERS_WORTH_PROCESSES
        yield from chain.from_iterable(workers.map(read, parts) if workers and many else map(read, parts))


def documents_of(database: Path, store: AssetStore, paper_ids: Sequence[str]) -> Iterator[Document]:
    """Those of these papers that the snapshot has."""
    with closing(open_read_only(database)) as connection:
        rows = [queries.fulltext_row(connection, paper_id) for paper_id in paper_ids]
    for part in parts_of(rows):
        yield from _documents_at(database, store, part)


def _documents_at(database: Path, store: AssetStore, rows: Sequence[FulltextRow]) -> list[Document]:
    """Those of the papers that are in the table of papers."""
    with closing(open_read_only(database)) as connection:
        papers = queries.papers_with_ids(connection, [row.paper_id for row in rows])
        links = queries.links_of_papers(connection, list(papers))
        texts = texts_of_papers(papers.values(), connection, store)
        return [
            _document(texts[row.paper_id], links[row.paper_id], queries.plain_texts(connection, row))
            for row in rows
            if row.paper_id in papers
        ]


def _document(texts: PaperTexts, links: Links, plain: tuple[str, str, str]) -> Document:
    """`plain` has the summaries, the source and the translations in plain words."""
    paper, summary = texts.paper, texts.document
    summaries, source, translated = map(without_cjk_blanks, plain)
    year = year_number(paper.year)
    authors = summary.paper_authors or [name.title() for name in links["author"]]
    # A paper without a summary has its abstract as one, which counts once.
    is_abstract_alone = summaries and summary.abstract == summary.summary
    short = summaries if is_abstract_alone else _joined(summary.abstract, summaries or paper.summary_preview)
    identifiers = dict.fromkeys([paper.doi, *(key.partition(":")[2] for key in links["key"])])
    return Document(
        id=paper.paper_id,
        title=paper.title,
        text=short,
        body=_joined(source, translated),
        year=year,
        identifiers=tuple(identifier for identifier in identifiers if identifier),
        facets=_facets(texts, links, authors),
        payload=IndexedPaper(paper.title, year, paper.venue, authors).payload(),
        passages=tuple(passage_entries(paper.paper_id, paper.title, _named_texts(texts))),
    )


def _joined(*parts: str | None) -> str:
    return "\n\n".join(part for part in parts if part)


def _named_texts(texts: PaperTexts) -> Iterator[tuple[str, str]]:
    for name in texts.names:
        if text := texts.find(name):
            yield name, text.text


def _facets(texts: PaperTexts, links: Links, authors: list[str]) -> dict[str, tuple[str, ...]]:
    """The values of the snapshot's own tables, so that lists, filters and counts agree, as people write them."""
    paper, summary = texts.paper, texts.document
    present = {
        "source": paper.source_md_content_hash,
        "translation": links["language"],
        "bibtex": links["bibtex"],
        "pdf": paper.pdf_content_hash,
    }
    return {
        "author": tuple(spelled(links["author"], authors)),
        "venue": tuple(spelled(links["venue"], [paper.venue])),
        "keyword": tuple(spelled(links["keyword"], summary.keywords)),
        "institution": tuple(spelled(links["institution"], summary.paper_institutions)),
        "tag": tuple(links["tag"]),
        "template": tuple(links["template"]),
        "language": tuple(dict.fromkeys(filter(None, (paper.output_language, *links["language"])))),
        "has": tuple(name for name, value in present.items() if value),
    }
