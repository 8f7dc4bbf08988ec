"""What the search is compared with: plain tantivy, and SQLite's FTS5 in two phases and in one statement."""

import re
import sqlite3
import sys
import time
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import tantivy

from papercore.retrieval import Document
from papercore.text import STOP_WORDS

WORD = re.compile(r"[^\W_]+")
RANK = "bm25(0.0, 5.0, 3.0)"


class BareTantivy:
    """The same kind of query on plain tantivy: any word, title and word pairs boosted; ten hits, its snippets."""

    def __init__(self, folder: Path) -> None:
        self.index = tantivy.Index.open(str(folder))
        self.searcher = self.index.searcher()

    @classmethod
    def build(cls, folder: Path, documents: Iterable[Document]) -> "BareTantivy":
        folder.mkdir()
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("title", stored=True, tokenizer_name="en_stem")
        builder.add_text_field("all", stored=True, tokenizer_name="en_stem")
        writer = tantivy.Index(builder.build(), path=str(folder)).writer(600_000_000, 1)
        for document in documents:
            writer.add_document(tantivy.Document(title=document.title, all=f"{document.title} {document.text}"))
        writer.commit()
        writer.wait_merging_threads()
        return cls(folder)

    def search(self, text: str) -> list[str]:
        query = self.index.parse_query(as_syntax(text), ["all"])
        found = self.searcher.search(query, 10)
        generator = tantivy.SnippetGenerator.create(self.searcher, query, self.index.schema, "all")
        return [generator.snippet_from_doc(self.searcher.doc(address)).to_html() for _, address in found.hits]


def as_syntax(text: str) -> str:
    if text.startswith('"'):
        return text
    words = [word for word in WORD.findall(text) if word not in STOP_WORDS]
    single = [f"{word} title:{word}^0.3" for word in words]
    return " ".join([*single, *(f'"{first} {second}"^0.1' for first, second in pairwise(words))])


class Fts5:
    """SQLite's full-text table, asked for any of the words."""

    def __init__(self, path: Path, documents: Iterable[Document]) -> None:
        self.database = sqlite3.connect(path)
        self.database.execute("PRAGMA journal_mode = OFF")
        self.database.execute("CREATE VIRTUAL TABLE papers USING fts5(id UNINDEXED, title, text, tokenize='porter')")
        self.database.execute("CREATE TABLE paper (id TEXT PRIMARY KEY, title TEXT, venue TEXT, year INTEGER)")
        for document in documents:
            self._add(document)
        self.database.commit()

    def _add(self, document: Document) -> None:
        row = [document.id, document.title, document.text]
        self.database.execute("INSERT INTO papers VALUES (?, ?, ?)", row)
        venue = next(iter(document.facets.get("venue", ())), "")
        self.database.execute("INSERT INTO paper VALUES (?, ?, ?, ?)", [*row[:2], venue, document.year])

    def search(self, text: str) -> list[tuple[str, str]]:
        """Rank row ids first; make snippets only for the ten that are shown."""
        match = as_match(text)
        self.database.execute("SELECT count(*) FROM papers WHERE papers MATCH ?", [match]).fetchone()
        ranked = "SELECT rowid FROM papers WHERE papers MATCH ? AND rank MATCH ? ORDER BY rank LIMIT 10"
        rows = [row for (row,) in self.database.execute(ranked, [match, RANK])]
        shown = (
            "SELECT id, snippet(papers, -1, '[', ']', '...', 24) FROM papers "
            f"WHERE papers MATCH ? AND rowid IN ({', '.join('?' * len(rows))})"
        )
        return list(self.database.execute(shown, [match, *rows]))

    def search_at_once(self, text: str) -> list[tuple[str, str]]:
        """One statement that ranks, joins the paper and makes the snippet: the obvious way. SQLite makes a snippet for
        every hit before it sorts them."""
        at_once = (
            "SELECT paper.id, paper.title, paper.venue, paper.year, snippet(papers, -1, '[', ']', '...', 24), "
            "bm25(papers, 0.0, 5.0, 3.0) AS score FROM papers JOIN paper USING (id) WHERE papers MATCH ? "
            "ORDER BY score LIMIT 10"
        )
        match = as_match(text)
        self.database.execute("SELECT count(*) FROM papers WHERE papers MATCH ?", [match]).fetchone()
        return list(self.database.execute(at_once, [match]))


def as_match(text: str) -> str:
    """Any of the words, or the phrase."""
    quoted = [text.strip('"')] if text.startswith('"') else WORD.findall(text)
    return " OR ".join(f'"{word}"' for word in quoted)


def answer_lines(folder: str) -> None:
    """Answer the queries on stdin with plain tantivy, and print for each the CPU time in ms."""
    bare = BareTantivy(Path(folder))
    for line in sys.stdin:
        start = time.process_time()
        bare.search(line.strip())
        print((time.process_time() - start) * 1000, flush=True)
