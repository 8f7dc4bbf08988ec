"""The papers of a completed search as a file: in a format of citations, or as a snapshot in an archive."""

import json
import zipfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_POST

from ingest import build_snapshot
from paper_search.export import EXPORT_FORMATS, export_bibtex
from paper_search.models import PaperCollection
from papercore.caller import calling
from searches.sessions.calls import caller_of
from searches.sessions.lifecycle import result_of

FORMATS = {export_format.suffix: export_format for export_format in EXPORT_FORMATS.values()}


@require_GET
def export(request: HttpRequest, session_id: str, suffix: str) -> HttpResponse:
    if suffix not in FORMATS:
        raise Http404
    with calling(caller_of(request)):
        collection = result_of(session_id, include_unsure=bool(request.GET.get("unsure")))
    chosen = FORMATS[suffix]
    return _download(chosen.export(collection).encode(), chosen.media_type, collection, suffix)


@require_POST
def snapshot(request: HttpRequest, session_id: str) -> HttpResponse:
    with calling(caller_of(request)):
        collection = result_of(session_id, include_unsure=bool(request.POST.get("unsure")))
    return _download(snapshot_archive(collection), "application/zip", collection, "zip")


def _download(content: bytes, content_type: str, collection: PaperCollection, suffix: str) -> HttpResponse:
    name = slugify(collection.metadata.query)[:60] or "papers"
    name += "-marked-relevant" if collection.metadata.selection == "marked_relevant" else ""
    disposition = f'attachment; filename="{name}.{suffix}"'
    return HttpResponse(content, content_type=content_type, headers={"Content-Disposition": disposition})


def snapshot_archive(collection: PaperCollection) -> bytes:
    """A zip archive with a snapshot of the collection."""
    records = [
        {
            "title": paper.title,
            "authors": [author.name for author in paper.authors],
            "year": paper.year,
            "venue": paper.venue,
            "abstract": paper.abstract,
            "doi": paper.doi,
            "url": paper.full_text_url,
            "tags": [str(tag) for tag in paper.tags],
        }
        for paper in collection.papers
    ]
    given = [{name: value for name, value in record.items() if value} for record in records]
    buffer = BytesIO()
    with TemporaryDirectory() as scratch:
        lines, bibliography = Path(scratch) / "papers.jsonl", Path(scratch) / "papers.bib"
        lines.write_text("".join(json.dumps(record) + "\n" for record in given), encoding="utf-8")
        bibliography.write_text(export_bibtex(collection), encoding="utf-8")
        folder = Path(scratch) / "snapshot"
        build_snapshot([lines, bibliography], folder)
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(folder))
    return buffer.getvalue()
