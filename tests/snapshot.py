"""Builds the snapshot that the tests read: a few papers, each there for a reason, written with plain SQL."""

import hashlib
import json
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from papercore.snapshot.file import FACETS

BUILD_ID = "0123456789abcdef0123456789abcdef"
BUILT_AT = "2026-01-02T03:04:05+00:00"

SCHEMA = """
CREATE TABLE snapshot_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE paper (paper_id TEXT PRIMARY KEY, paper_key TEXT NOT NULL, paper_key_type TEXT NOT NULL, doi TEXT,
  title TEXT NOT NULL, year TEXT NOT NULL, month TEXT NOT NULL, publication_date TEXT NOT NULL, venue TEXT NOT NULL,
  preferred_summary_template TEXT NOT NULL, summary_preview TEXT NOT NULL, paper_index INTEGER NOT NULL DEFAULT 0,
  source_hash TEXT, output_language TEXT, provider TEXT, model TEXT, prompt_template TEXT, extracted_at TEXT,
  pdf_content_hash TEXT, source_md_content_hash TEXT);
CREATE TABLE paper_summary (paper_id TEXT NOT NULL, template_tag TEXT NOT NULL, PRIMARY KEY (paper_id, template_tag));
CREATE TABLE paper_translation (paper_id TEXT NOT NULL, lang TEXT NOT NULL, md_content_hash TEXT NOT NULL,
  PRIMARY KEY (paper_id, lang));
CREATE TABLE paper_bibtex (paper_id TEXT PRIMARY KEY, bibtex_raw TEXT NOT NULL, bibtex_key TEXT, entry_type TEXT);
CREATE TABLE paper_key_alias (paper_key TEXT PRIMARY KEY, paper_id TEXT NOT NULL, paper_key_type TEXT NOT NULL,
  meta_fingerprint TEXT);
CREATE TABLE facet_node (node_id INTEGER PRIMARY KEY, facet_type TEXT NOT NULL, value TEXT NOT NULL,
  paper_count INTEGER NOT NULL DEFAULT 0, UNIQUE (facet_type, value));
CREATE TABLE paper_facet (paper_id TEXT NOT NULL, node_id INTEGER NOT NULL, PRIMARY KEY (paper_id, node_id));
CREATE TABLE facet_edge (node_id_a INTEGER NOT NULL, node_id_b INTEGER NOT NULL, paper_count INTEGER NOT NULL,
  PRIMARY KEY (node_id_a, node_id_b));
CREATE TABLE year_count (year TEXT PRIMARY KEY, paper_count INTEGER NOT NULL);
CREATE TABLE month_count (month TEXT PRIMARY KEY, paper_count INTEGER NOT NULL);
CREATE VIRTUAL TABLE paper_fts USING fts5(paper_id UNINDEXED, title, summary, source, translated, metadata,
  tokenize='unicode61');
CREATE VIRTUAL TABLE paper_fts_trigram USING fts5(paper_id UNINDEXED, title, venue, tokenize='trigram');
"""
FACET_SCHEMA = """
CREATE TABLE {0} ({0}_id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE, paper_count INTEGER NOT NULL DEFAULT 0);
CREATE TABLE paper_{0} (paper_id TEXT NOT NULL, {0}_id INTEGER NOT NULL, PRIMARY KEY (paper_id, {0}_id));
"""
LEGACY = "ALTER TABLE paper DROP COLUMN doi; DROP TABLE paper_bibtex;"


@dataclass(frozen=True)
class SamplePaper:
    """One paper of the test library."""

    paper_id: str
    title: str
    authors: list[str]
    year: str = "2020"
    month: str = "05"
    venue: str = "Journal of Tests"
    keywords: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    institutions: list[str] = field(default_factory=list)
    doi: str | None = None
    arxiv: str | None = None
    summaries: dict[str, str] = field(default_factory=dict)
    source: str | None = None
    translations: dict[str, str] = field(default_factory=dict)
    bibtex: str | None = None


LONG_SOURCE = "# Long\n\n" + "All work and no play makes a long paper. " * 1_500

PAPERS = [
    SamplePaper(
        "123",
        "Attention Is All You Need",
        ["Ashish Vaswani", "Noam Shazeer", "Łukasz Kaiser"],
        year="2017",
        month="06",
        venue="NeurIPS",
        keywords=["transformer", "self-attention"],
        tags=["method"],
        institutions=["Google Brain"],
        doi="10.5555/3295222.3295349",
        arxiv="1706.03762",
        summaries={"simple": "The transformer needs attention alone.", "deep_read": "## Method\n\nScaled $QK^T$."},
        source="# Attention Is All You Need\n\nRecurrence is gone. " + "Heads attend to positions. " * 20,
        translations={"zh": "# 注意力\n\n注意力机制与深度学习。", "de": "# Aufmerksamkeit\n\nRekurrenz entfällt."},
        bibtex="@inproceedings{vaswani2017attention,\n  title = {Attention Is All You Need},\n  year = {2017}\n}",
    ),
    SamplePaper(
        "456",
        "Long Short-Term Memory",
        ["Sepp Hochreiter", "Jürgen Schmidhuber"],
        year="1997",
        month="11",
        venue="Neural Computation",
        keywords=["recurrent networks", "memory_cell"],
        tags=["method", "classic"],
        institutions=["TU München"],
        doi="10.1162/neco.1997.9.8.1735",
        summaries={"simple": "A memory cell keeps the error flowing through time."},
        source=LONG_SOURCE,
        bibtex="@article{hochreiter1997long,\n  title = {Long Short-Term Memory}\n}",
    ),
    SamplePaper(
        "789",
        "BERT & <b>Friends</b>: 100% of _All_ Transformers",
        ["Jacob Devlin", "Noam Shazeer"],
        year="2019",
        venue="NAACL",
        keywords=["transformer", "pre-training"],
        tags=["survey"],
        summaries={"simple": "Bidirectional transformers read both ways."},
    ),
    SamplePaper(
        "cjk-1",
        "面向论文检索的混合分词方法",
        ["王小明"],
        year="2024",
        venue="中文信息学报",
        keywords=["检索", "分词"],
        summaries={"simple": "混合分词提高检索质量。"},
        source="# 面向论文检索的混合分词方法\n\n深度学习方法。",
    ),
    SamplePaper("undated", "Notes without a Date", [], year="unknown", month="unknown", venue=""),
]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def spaced(text: str) -> str:
    """The builder of the format puts a blank between CJK characters."""
    return "".join(f" {letter} " if "\u2e80" <= letter <= "\u9fff" else letter for letter in text)


def build(folder: Path, papers: list[SamplePaper] | None = None, *, legacy: bool = False, build_id: str = "") -> Path:
    """Write the snapshot and its assets into the folder; returns the database's path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "paper_snapshot.db"
    aside = folder / "paper_snapshot.db.new"
    aside.unlink(missing_ok=True)
    database = sqlite3.connect(aside)
    database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
    database.executescript("BEGIN;" + SCHEMA + "".join(FACET_SCHEMA.format(facet) for facet in FACETS))
    chosen = PAPERS if papers is None else papers
    # As with a real builder, other papers make another id: whatever is kept by build id then stays true.
    own_id = BUILD_ID if papers is None else sha256(repr(papers))[:32]
    meta = {"snapshot_build_id": build_id or own_id, "built_at": BUILT_AT}
    database.executemany("INSERT INTO snapshot_meta VALUES (?, ?)", meta.items())
    for index, paper in enumerate(chosen):
        _write_rows(database, index, paper)
        _write_assets(folder / "static", paper)
    _count(database)
    database.commit()
    if legacy:
        database.executescript(LEGACY)
    database.close()
    aside.replace(path)
    return path


def _write_rows(database: sqlite3.Connection, index: int, paper: SamplePaper) -> None:
    preferred = "simple" if "simple" in paper.summaries else next(iter(paper.summaries), "")
    summary = " ".join(paper.summaries.values())
    source_hash = sha256(paper.source) if paper.source else None
    keys = {"doi": paper.doi, "arxiv": paper.arxiv, "meta": sha256(paper.title)}
    aliases = [(f"{kind}:{key}", paper.paper_id, kind, None) for kind, key in keys.items() if key]
    row = {
        "paper_id": paper.paper_id,
        "paper_key": aliases[0][0],
        "paper_key_type": aliases[0][2],
        "doi": paper.doi,
        "title": paper.title,
        "year": paper.year,
        "month": paper.month,
        "publication_date": f"{paper.year}-{paper.month}",
        "venue": paper.venue,
        "preferred_summary_template": preferred,
        "summary_preview": paper.summaries.get(preferred, "")[:320],
        "paper_index": index,
        "output_language": "en",
        "provider": "test",
        "source_md_content_hash": source_hash,
    }
    places = ", ".join("?" * len(row))
    database.execute(f"INSERT INTO paper ({', '.join(row)}) VALUES ({places})", list(row.values()))
    database.executemany("INSERT INTO paper_key_alias VALUES (?, ?, ?, ?)", aliases)
    templates = [(paper.paper_id, name) for name in paper.summaries]
    database.executemany("INSERT INTO paper_summary VALUES (?, ?)", templates)
    translations = [(paper.paper_id, lang, sha256(text)) for lang, text in paper.translations.items()]
    database.executemany("INSERT INTO paper_translation VALUES (?, ?, ?)", translations)
    if paper.bibtex:
        kind, key = paper.bibtex.split(",")[0][1:].split("{")
        database.execute("INSERT INTO paper_bibtex VALUES (?, ?, ?, ?)", (paper.paper_id, paper.bibtex, key, kind))
    facets = (paper.authors, paper.keywords, paper.institutions, paper.tags, [paper.venue] if paper.venue else [])
    for name, values in zip(FACETS, facets, strict=True):
        for value in values:
            _link(database, name, value.lower(), paper.paper_id)
    words = " ".join([paper.title, *paper.authors, paper.venue, *paper.keywords, *paper.institutions, paper.year])
    texts = (paper.title, summary, paper.source or "", " ".join(paper.translations.values()), words)
    database.execute("INSERT INTO paper_fts VALUES (?, ?, ?, ?, ?, ?)", (paper.paper_id, *map(spaced, texts)))


def _link(database: sqlite3.Connection, facet: str, value: str, paper_id: str) -> None:
    database.execute(f"INSERT OR IGNORE INTO {facet} (value) VALUES (?)", (value,))
    key = database.execute(f"SELECT {facet}_id FROM {facet} WHERE value = ?", (value,)).fetchone()[0]
    database.execute(f"INSERT INTO paper_{facet} VALUES (?, ?)", (paper_id, key))
    database.execute("INSERT OR IGNORE INTO facet_node (facet_type, value) VALUES (?, ?)", (facet, value))
    node = database.execute("SELECT node_id FROM facet_node WHERE facet_type = ? AND value = ?", (facet, value))
    database.execute("INSERT OR IGNORE INTO paper_facet VALUES (?, ?)", (paper_id, node.fetchone()[0]))


def _count(database: sqlite3.Connection) -> None:
    for name in FACETS:
        links = f"SELECT count(*) FROM paper_{name} AS link WHERE link.{name}_id = {name}.{name}_id"
        database.execute(f"UPDATE {name} SET paper_count = ({links})")
    database.execute(
        "UPDATE facet_node SET paper_count = "
        "(SELECT count(*) FROM paper_facet AS link WHERE link.node_id = facet_node.node_id)"
    )
    database.execute(
        "INSERT INTO facet_edge SELECT a.node_id, b.node_id, count(*) FROM paper_facet a "
        "JOIN paper_facet b ON a.paper_id = b.paper_id AND a.node_id < b.node_id GROUP BY 1, 2"
    )
    database.execute("INSERT INTO year_count SELECT year, count(*) FROM paper GROUP BY year")
    database.execute("INSERT INTO month_count SELECT month, count(*) FROM paper GROUP BY month")


def _write_assets(root: Path, paper: SamplePaper) -> None:
    document = {
        "paper_id": paper.paper_id,
        "paper_title": paper.title,
        "paper_authors": paper.authors,
        "publication_venue": paper.venue,
        "abstract": f"What {paper.title} is about." if paper.summaries else None,
        "keywords": paper.keywords,
        "paper_institutions": paper.institutions,
        "available_templates": sorted(paper.summaries),
    }
    summaries = {name: {**document, "template_tag": name, "summary": text} for name, text in paper.summaries.items()}
    for template, summary in summaries.items():
        write(root / "summary" / paper.paper_id / f"{template}.json", json.dumps(summary, ensure_ascii=False))
    # Without a summary it holds the metadata alone.
    preferred = summaries.get("simple", document)
    write(root / "summary" / f"{paper.paper_id}.json", json.dumps(preferred, ensure_ascii=False))
    if paper.source:
        write(root / "md" / f"{sha256(paper.source)}.md", paper.source)
    for lang, text in paper.translations.items():
        write(root / "md_translate" / lang / f"{sha256(text)}.md", text)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def change(path: Path, *statements: str) -> None:
    """Run the statements on a copy of the snapshot, and put it in the snapshot's place."""
    aside = path.with_name("aside.db")
    aside.write_bytes(path.read_bytes())
    database = sqlite3.connect(aside)
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()
    aside.replace(path)
