"""Builds, updates and fills the search index of a snapshot from documents of its papers."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path

import django
from django.conf import settings

from ingest import NewVersion
from ingest.entries.report import TaskProgress
from ingest.index_state import load_model
from ingest.workers import PAPERS_WORTH_PROCESSES, Workers, parts_of
from papercore.retrieval import (
    BuildReport,
    Document,
    build_index,
    build_index_on_cluster,
    fill_sentence_vectors,
    missing_sentence_vectors,
    update_index,
)
from papercore.snapshot.assets import AssetMissing, AssetStore, AssetStream, FolderStore
from papercore.snapshot.file import DATABASE, BadSnapshot, SnapshotFacts, check, index_beside, open_read_only
from papercore.snapshot.fulltext import without_cjk_blanks
from papercore.snapshot.versions import SNAPSHOT_CHECK_SECONDS
from papers.catalogue.metadata import spelled
from papers.passages.addresses import passage_entries
from papers.search.list_query import Facet
from papers.snapshot import queries
from papers.snapshot.queries import FulltextRow, Links, year_number
from papers.snapshot.served import IndexedPaper
from papers.texts.named import PaperTexts, texts_of_papers

# In the order in which a hit names the ones it matched; pages have an order of their own.
FACETS: tuple[Facet, ...] = ("author", "venue", "keyword", "institution", "tag", "template", "language", "has")


def build(database: Path, store: AssetStore, progress: TaskProgress, folder: Path | None = None) -> BuildReport:
    """Index every paper, in the snapshot's folder or another; readers keep the old index until the new is complete."""
    build_id, model = facts_of(database).build_id, load_model(str(settings.SEARCH_MODEL))
    with closing(open_read_only(database)) as connection:
        total = queries.paper_count(connection)
    with closing(Workers(django.setup)) as workers:
        tracked = progress.track("Indexing", documents(database, store, workers), total=total)
        if settings.SEARCH_CLUSTER:
            return build_index_on_cluster(
                settings.SEARCH_CLUSTER,
                tracked,
                facets=FACETS,
                build_id=build_id,
                model=model,
                watch=lambda sent, total: progress.track("Sending", sent, total),
            )
        return build_index(
            folder or index_beside(database),
            tracked,
            facets=FACETS,
            build_id=build_id,
            model=model,
        )


def facts_of(database: Path) -> SnapshotFacts:
    """What a snapshot file has; BadSnapshot when it cannot be served."""
    if not database.is_file():
        raise BadSnapshot("The snapshot file is missing: build one, or set PAPERSITE_SNAPSHOT.")
    with closing(open_read_only(database)) as connection:
        return check(database, connection, SNAPSHOT_CHECK_SECONDS)


def update(version: NewVersion, progress: TaskProgress) -> None:
    """Index the papers that a new version changes; where there is no index that can be updated, build one."""
    store = _LayeredStore(version.assets)
    path = index_beside(version.library / DATABASE)
    is_updated = not settings.SEARCH_CLUSTER and update_index(
        path,
        build_before=version.build_before,
        build_id=version.build_after,
        changed=version.paper_ids,
        documents_of=partial(documents_of, version.database, store),
        facets=FACETS,
        model=load_model(str(settings.SEARCH_MODEL)),
    )
    if not is_updated:
        # On a cluster every build is a whole one.
        if not settings.SEARCH_CLUSTER:
            progress.say("There is no index that can be updated: it is built anew.")
        build(version.database, store, progress, path)


class _LayeredStore:
    """Several folders as one: an asset is in the first that has it."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._stores = [FolderStore(str(folder)) for folder in folders]

    def read(self, key: str) -> bytes:
        for store in self._stores[:-1]:
            try:
                return store.read(key)
            except AssetMissing:
                continue
        return self._stores[-1].read(key)

    def open(self, key: str, range_header: str = "") -> AssetStream:
        return self._stores[-1].open(key, range_header)


def fill(database: Path, progress: TaskProgress) -> int:
    """Add the sentence vectors that the index lacks, while it is served; return how many. It may take hours."""
    model, path = load_model(str(settings.SEARCH_MODEL)), index_beside(database)
    if model is None or settings.SEARCH_CLUSTER:
        return 0
    missing = missing_sentence_vectors(path, model)
    if not missing:
        return 0
    return sum(1 for _ in progress.track("Sentence vectors", fill_sentence_vectors(path, model), missing))


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
    named = ((name, text.text) for name in texts.names if (text := texts.find(name)))
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
        passages=tuple(passage_entries(paper.paper_id, paper.title, named)),
    )


def _joined(*parts: str | None) -> str:
    return "\n\n".join(part for part in parts if part)


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
