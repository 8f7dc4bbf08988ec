"""Saves the papers of a finished search as a snapshot of their own."""

import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from paper_search.export import export_bibtex
from paper_search.models import Paper, PaperCollection
from papers.build import SnapshotBuildReport, build_snapshot


def build(collection: PaperCollection, out: Path) -> SnapshotBuildReport:
    """A snapshot folder of the collection."""
    with TemporaryDirectory() as scratch:
        lines, bibliography = Path(scratch) / "papers.jsonl", Path(scratch) / "papers.bib"
        lines.write_text("".join(json.dumps(_line(paper)) + "\n" for paper in collection.papers), encoding="utf-8")
        bibliography.write_text(export_bibtex(collection), encoding="utf-8")
        return build_snapshot([lines, bibliography], out)


def write_zip(collection: PaperCollection, file: IO[bytes]) -> None:
    """The same folder as one archive."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "snapshot"
        build(collection, folder)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(folder))


def _line(paper: Paper) -> dict[str, object]:
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
