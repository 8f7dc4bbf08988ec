"""Small inputs for builds, and a way to query the result."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from ingest import BuildFolders, SnapshotBuildReport, build_snapshot

ATTENTION = {
    "paper_title": "Attention Is All You Need",
    "paper_authors": ["Ashish Vaswani", "Noam Shazeer"],
    "publication_date": "2017-06",
    "publication_venue": "NeurIPS",
    "abstract": "Self-attention alone.",
    "keywords": ["Transformer", "attention"],
    "paper_institutions": ["Google Brain"],
    "ai_generated_tags": ["nlp"],
    "summary": "## Summary\n\n**What it is.** Sequence models from *self-attention*.",
    "output_language": "en",
    "provider": "example",
    "model": "m1",
    "prompt_template": "simple",
    "extracted_at": "2026-01-01T08:00:00Z",
    "source_path": "papers/vaswani-2017.md",
    "arxiv_id": "1706.03762v5",
}
LSTM = {
    "title": "Long Short-Term Memory",
    "authors": ["Sepp Hochreiter", "Jürgen Schmidhuber"],
    "year": 1997,
    "month": "November",
    "venue": "Neural Computation",
    "abstract": "Error carousels keep gradients alive.",
    "doi": "https://doi.org/10.1162/NECO.1997.9.8.1735",
}


def write_summaries(path: Path, *papers: object, template: str = "simple") -> Path:
    path.write_text(json.dumps({"template_tag": template, "papers": papers}, indent=1), encoding="utf-8")
    return path


def write_lines(path: Path, *papers: object) -> Path:
    path.write_text("".join(json.dumps(paper) + "\n" for paper in papers), encoding="utf-8")
    return path


class Built:
    """A snapshot that was just built, open to queries."""

    def __init__(self, report: SnapshotBuildReport) -> None:
        self.report = report
        self.out = report.out

    def rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(f"file:{self.out / 'paper_snapshot.db'}?mode=ro", uri=True)) as database:
            return database.execute(sql, values).fetchall()

    def column(self, sql: str, *values: object) -> list[object]:
        return [row[0] for row in self.rows(sql, *values)]

    def json(self, key: str) -> dict[str, object]:
        value = json.loads((self.out / "static" / key).read_text(encoding="utf-8"))
        assert isinstance(value, dict)
        return value


def build(out: Path, *inputs: Path, folders: BuildFolders | None = None, previous: Path | None = None) -> Built:
    return Built(build_snapshot(inputs, out, folders, previous))
