"""Exports the papers of a completed search as a snapshot."""

import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from paper_search.export import export_bibtex
from paper_search.models import Paper, PaperCollection


def write_zip(collection: PaperCollection, file: IO[bytes]) -> None:
    """Write a zip archive with a snapshot of the collection."""
    # Here, because it takes long to load, and few sites ever build one while they serve.
    from ingest import build_snapshot

    with TemporaryDirectory() as scratch:
        lines, bibliography = Path(scratch) / "papers.jsonl", Path(scratch) / "papers.bib"
        lines.write_text("".join(json.dumps(_record(paper)) + "\n" for paper in collection.papers), encoding="utf-8")
        bibliography.write_text(export_bibtex(collection), encoding="utf-8")
        folder = Path(scratch) / "snapshot"
        build_snapshot([lines, bibliography], folder)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(folder))


def _record(paper: Paper) -> dict[str, object]:
    fields = {
        "title": paper.title,
        "authors": [author.name for author in paper.authors],
        "year": paper.year,
        "venue": paper.venue,
        "abstract": paper.abstract,
        "doi": paper.doi,
        "url": paper.full_text_url,
        "tags": [str(tag) for tag in paper.tags],
    }
    return {name: value for name, value in fields.items() if value}
