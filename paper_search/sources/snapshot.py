"""The local library: a snapshot file, searched by its index or else by its own full-text table."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, TypeVar

from paper_search.filters import matches
from paper_search.models import Paper, RawPaper, SearchConstraints, SearchQuery
from paper_search.sources import fields
from paper_search.sources.interface import Library, PaperText, SourceError
from paper_search.sources.library_search import ScoredId, mentions_request, scaled, search_library
from paper_search.sources.links import Linked
from paper_search.sources.snapshot_citations import CitationsInSnapshot
from paper_search.text import content_words
from papercore.errors import ToolError
from papercore.retrieval import EngineFailed, Index, IndexFolder, SentenceModel
from papercore.snapshot.assets import preferred_summary_key
from papercore.snapshot.file import BadSnapshot, Connection, assets_beside, index_beside, open_read_only
from papercore.snapshot.fulltext import RANK, match_expression

# A summary with its metadata is far smaller; a larger file is not read.
MAX_SUMMARY_BYTES = 2_000_000
MAX_KEYWORDS = 5_000
Answer = TypeVar("Answer")
_PAPER_ID = re.compile(r"[A-Za-z0-9_.:-]{1,128}")


@dataclass
class Snapshot(Library):
    takes: ClassVar = "synonyms"
    own_filters: ClassVar = frozenset({"year_from", "year_to", "authors", "venues"})
    unsupported_filters: ClassVar = ("language_codes",)

    path: Path
    # The folder of the sentence model that the index was built with, if any.
    model: str = ""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        def in_thread() -> list[RawPaper]:
            with self._open() as connection:
                found = self._ask_index(connection, lambda index: search_index(index, query, filters))
                by_index = found is not None
                if found is None:
                    found = _search_fulltext(connection, " ".join(query.keywords), filters)
                assets = assets_beside(self.path)
                papers = (_read_paper(connection, scored, assets) for scored in found)
                # The tables apply no filters but the years.
                return [paper for paper in papers if paper and (by_index or matches(paper, filters))]

        return await asyncio.to_thread(in_thread)

    async def linked(self, papers: Sequence[Paper]) -> list[Linked]:
        def in_thread() -> list[Linked]:
            with self._open() as connection:
                assets = assets_beside(self.path)

                def read(paper_id: str) -> RawPaper | None:
                    return _read_paper(connection, ScoredId(paper_id, 0.0), assets)

                links = CitationsInSnapshot(connection, assets, read).links(papers)
                found = {paper_id: paper for paper_id in links.most_linked if (paper := read(paper_id))}
                for paper in found.values():
                    paper.facts.match = None  # no question found it
                return links.linked(found)

        return await asyncio.to_thread(in_thread)

    def keywords(self) -> list[str]:
        """The library's own keywords, the most used first; none when there is no library."""
        try:
            with self._open() as connection:
                rows = connection.execute(
                    "SELECT value FROM keyword ORDER BY paper_count DESC, value LIMIT ?", [MAX_KEYWORDS]
                )
                return [str(value) for (value,) in rows]
        except SourceError:
            return []

    def names(self, facet: str) -> list[str]:
        try:
            with self._open() as connection:
                query = {"author": "SELECT value FROM author", "venue": "SELECT value FROM venue"}[facet]
                return [str(value) for (value,) in connection.execute(query)]
        except SourceError:
            return []

    def mentions(self, *phrases: str) -> list[PaperText]:
        """The papers that have all of the phrases; none when there is no library."""
        request, assets = mentions_request(phrases), assets_beside(self.path)
        try:
            with self._open() as connection:
                found = self._ask_index(connection, lambda index: [hit.id for hit in index.search(request).hits])
                if found is None:
                    filters = SearchConstraints(max_results=request.limit)
                    found = [match.paper_id for match in _search_fulltext(connection, " ".join(phrases), filters)]
                papers = [_read_text(connection, paper_id, assets) for paper_id in found]
                return [paper for paper in papers if paper.has(phrases)]
        except (SourceError, ToolError):
            return []

    def _ask_index(self, connection: Connection, question: Callable[[Index], Answer]) -> Answer | None:
        """What the index built from this snapshot answers; None without one, or when it fails."""
        row = connection.execute("SELECT value FROM snapshot_meta WHERE key = 'snapshot_build_id'").fetchone()
        indexes = index_folder(index_beside(self.path), self.model)
        index = indexes.open(str(row[0])) if row else None
        if index:
            with suppress(EngineFailed), indexes.failures_of(index):
                return question(index)
        return None

    @contextmanager
    def _open(self) -> Iterator[Connection]:
        if not self.path.is_file():
            raise SourceError("there is no snapshot; build one, or set PAPERSITE_SNAPSHOT")
        try:
            with closing(open_read_only(self.path.absolute())) as connection:
                connection.restart_clock()
                yield connection
        except (BadSnapshot, sqlite3.Error) as error:
            raise SourceError("the snapshot cannot be read") from error


@cache
def index_folder(path: Path, model: str) -> IndexFolder:
    """Opened once for all searches; it notices a new index itself."""
    return IndexFolder(path, SentenceModel.load(Path(model)) if model else None)


def search_index(index: Index, query: SearchQuery, filters: SearchConstraints) -> list[ScoredId]:
    """Papers that match by words and by meaning."""
    try:
        return search_library(index, query, filters)
    except ToolError as error:
        raise SourceError(error.message) from error


def _search_fulltext(connection: Connection, text: str, filters: SearchConstraints) -> list[ScoredId]:
    """Papers that match any of the words, ranked by the snapshot's own full-text table."""
    expression = match_expression(content_words(text))
    if not expression:
        return []
    connection.restart_clock()
    rows = connection.execute(
        "SELECT paper_id, rank FROM paper_fts WHERE paper_fts MATCH ? AND rank MATCH ? AND paper_id IN "
        "(SELECT paper_id FROM paper WHERE year BETWEEN ? AND ? OR year = 'unknown') ORDER BY rank LIMIT ?",
        [expression, RANK, str(filters.year_from or "0000"), str(filters.year_to or "9999"), filters.max_results],
    )
    return scaled([(str(paper_id), -float(rank)) for paper_id, rank in rows.fetchall()])


def _read_paper(connection: Connection, scored: ScoredId, assets: Path) -> RawPaper | None:
    connection.restart_clock()
    row = connection.execute(
        "SELECT doi, title, year, venue, summary_preview, bibtex_raw FROM paper LEFT JOIN paper_bibtex "
        "USING (paper_id) WHERE paper_id = ?",
        [scored.paper_id],
    ).fetchone()
    title = fields.text(row[1]) if row else None
    if not title:
        return None
    summary = _read_summary(assets, scored.paper_id)
    listed = summary.get("paper_authors")
    names = [fields.text(name) for name in listed] if isinstance(listed, list) else []
    if not any(names):
        # The tables have names in lower case only, and not in the paper's order.
        rows = connection.execute(
            "SELECT value FROM author JOIN paper_author USING (author_id) WHERE paper_id = ? ORDER BY value",
            [scored.paper_id],
        )
        names = [str(value).title() for (value,) in rows]
    return RawPaper(
        id=scored.paper_id,
        doi=fields.doi(row[0]),
        title=title,
        authors=fields.authors(names),
        abstract=fields.text(summary.get("abstract")),
        snippet=fields.text(row[4]),
        year=fields.year(row[2]),
        venue=fields.text(row[3]),
        source="snapshot",
        bibtex=str(row[5]) if row[5] else None,
        keywords=_keywords(connection, scored.paper_id),
        facts=scored.facts,
    )


def _read_text(connection: Connection, paper_id: str, assets: Path) -> PaperText:
    connection.restart_clock()
    row = connection.execute("SELECT title FROM paper WHERE paper_id = ?", [paper_id]).fetchone()
    abstract = fields.text(_read_summary(assets, paper_id).get("abstract"))
    return PaperText(str(row[0]) if row else "", abstract or "", tuple(_keywords(connection, paper_id)))


def _keywords(connection: Connection, paper_id: str) -> list[str]:
    rows = connection.execute(
        "SELECT value FROM keyword JOIN paper_keyword USING (keyword_id) WHERE paper_id = ?", [paper_id]
    )
    return [str(value) for (value,) in rows]


def _read_summary(assets: Path, paper_id: str) -> dict[str, object]:
    """The paper's summary in the assets, if there is a valid one."""
    path = assets / preferred_summary_key(paper_id)
    if not _PAPER_ID.fullmatch(paper_id) or not path.is_file() or path.stat().st_size > MAX_SUMMARY_BYTES:
        return {}
    try:
        return fields.record(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}
