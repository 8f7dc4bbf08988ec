"""What a library holds, to compare one with another."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

_TABLES = {
    "paper": "SELECT paper_id, paper_key, paper_key_type, doi, title, year, month, publication_date, venue,"
    " preferred_summary_template, summary_preview, source_hash, output_language, provider, model, prompt_template,"
    " extracted_at, pdf_content_hash, source_md_content_hash FROM paper ORDER BY 1",
    "summary": "SELECT * FROM paper_summary ORDER BY 1, 2",
    "bibtex": "SELECT * FROM paper_bibtex ORDER BY 1",
    "alias": "SELECT * FROM paper_key_alias ORDER BY 1",
    "node": "SELECT facet_type, value, paper_count FROM facet_node ORDER BY 1, 2",
    "year": "SELECT * FROM year_count ORDER BY 1",
    "month": "SELECT * FROM month_count ORDER BY 1",
    # An edge has no direction.
    "edge": "SELECT min(x, y), max(x, y), paper_count FROM (SELECT a.facet_type || a.value AS x,"
    " b.facet_type || b.value AS y, e.paper_count FROM facet_edge e"
    " JOIN facet_node a ON a.node_id = node_id_a JOIN facet_node b ON b.node_id = node_id_b) ORDER BY 1, 2",
    "words": "SELECT paper_id, title, summary, source, translated, metadata FROM paper_fts ORDER BY 1",
    "trigrams": "SELECT paper_id, title, venue FROM paper_fts_trigram ORDER BY 1",
    **{
        name: f"SELECT paper_id, value, paper_count FROM {name} JOIN paper_{name} USING ({name}_id) ORDER BY 1, 2"
        for name in ("author", "keyword", "institution", "tag", "venue")
    },
}


def content(library: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything that the database says of papers, but for the order in which they came."""
    with closing(sqlite3.connect(f"file:{library / 'paper_snapshot.db'}?mode=ro", uri=True)) as database:
        return {name: database.execute(sql).fetchall() for name, sql in _TABLES.items()}


def assets(library: Path) -> dict[str, object]:
    root = library / "static"
    return {
        str(path.relative_to(root)): json.loads(path.read_text()) if path.suffix == ".json" else path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
