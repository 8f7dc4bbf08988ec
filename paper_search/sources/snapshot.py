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

from paper_search.models import Author, RawPaper, SearchConstraints, SearchQuery
from paper_search.sources import fields
from paper_search.sources.errors import SourceError
from paper_search.sources.interface import PaperText
from paper_search.sources.library_request import mentions_request
from paper_search.sources.library_search import ScoredId, scaled, search_library
from paper_search.text import content_words
from papercore.errors import ToolError
from papercore.retrieval import EngineFailed, Index, IndexFolder, SentenceModel
from papercore.snapshot.file import BadSnapshot, Connection, open_read_only
from papercore.snapshot.fulltext import RANK, match_expression
from papercore.snapshot.layout import assets_beside, index_beside, preferred_summary_key

# A summary with its metadata is far smaller; a larger file is not read.
MAX_SUMMARY_BYTES = 2_000_000
MAX_KEYWORDS = 5_000
Answer = TypeVar("Answer")
_PAPER_ID = re.compile(r"[A-Za-z0-9_.:-]{1,128}")


@dataclass
class Snapshot:
    cannot: ClassVar = ("language",)
    takes_synonyms: ClassVar = True

    path: Path
    # The folder of the sentence model that the index was built with, if any.
    model: str = ""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        return await asyncio.to_thread(self._search, query, filters)

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

    def mentions(self, *phrases: str) -> list[PaperText]:
        """The papers that have all of the phrases; none when there is no library."""
        request, assets = mentions_request(phrases), assets_beside(self.path)
        try:
            with self._open() as connection:
                found = self._ask_index(connection, lambda index: [hit.id for hit in index.search(request).hits])
                if found is None:
                    words = " ".join(phrases)
                    matches = _search_fulltext(connection, words, SearchConstraints(max_results=request.limit))
                    found = [match.paper_id for match in matches]
                papers = [_text(connection, paper_id, assets) for paper_id in found]
                return [paper for paper in papers if paper.has(phrases)]
        except (SourceError, ToolError):
            return []

    def _search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        text = " ".join(query.keywords)
        with self._open() as connection:
            found = self._ask_index(connection, lambda index: search_index(index, query, filters))
            if found is None:
                found = _search_fulltext(connection, text, filters)
            return list(_papers(connection, found, assets_beside(self.path)))

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


def _papers(connection: Connection, found: Sequence[ScoredId], assets: Path) -> Iterator[RawPaper]:
    for scored in found:
        connection.restart_clock()
        row = connection.execute(
            "SELECT doi, title, year, venue, summary_preview FROM paper WHERE paper_id = ?", [scored.paper_id]
        ).fetchone()
        if row and (title := fields.text(row[1])):
            summary = _summary(assets, scored.paper_id)
            entry = connection.execute(
                "SELECT bibtex_raw FROM paper_bibtex WHERE paper_id = ?", [scored.paper_id]
            ).fetchone()
            yield RawPaper(
                id=scored.paper_id,
                doi=fields.doi(row[0]),
                title=title,
                authors=_authors(connection, scored.paper_id, summary),
                abstract=fields.text(summary.get("abstract")),
                snippet=fields.text(row[4]),
                year=fields.year(row[2]),
                venue=fields.text(row[3]),
                source="snapshot",
                bibtex=str(entry[0]) if entry and entry[0] else None,
                raw_data=scored.raw_data,
            )


def _text(connection: Connection, paper_id: str, assets: Path) -> PaperText:
    connection.restart_clock()
    row = connection.execute("SELECT title FROM paper WHERE paper_id = ?", [paper_id]).fetchone()
    keywords = connection.execute(
        "SELECT value FROM keyword JOIN paper_keyword USING (keyword_id) WHERE paper_id = ?", [paper_id]
    )
    abstract = fields.text(_summary(assets, paper_id).get("abstract"))
    return PaperText(str(row[0]) if row else "", abstract or "", tuple(str(value) for (value,) in keywords))


def _authors(connection: Connection, paper_id: str, summary: dict[str, object]) -> list[Author]:
    """As the summary spells and orders them; the tables have them in lower case only."""
    listed = summary.get("paper_authors")
    names = [fields.text(name) for name in listed] if isinstance(listed, list) else []
    if not any(names):
        rows = connection.execute(
            "SELECT value FROM author JOIN paper_author USING (author_id) WHERE paper_id = ? ORDER BY value",
            [paper_id],
        )
        names = [str(value).title() for (value,) in rows]
    return fields.authors(iter(names))


def _summary(assets: Path, paper_id: str) -> dict[str, object]:
    """The paper's summary in the assets, if there is a valid one."""
    path = assets / preferred_summary_key(paper_id)
    if not _PAPER_ID.fullmatch(paper_id) or not path.is_file() or path.stat().st_size > MAX_SUMMARY_BYTES:
        return {}
    try:
        return fields.record(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}
