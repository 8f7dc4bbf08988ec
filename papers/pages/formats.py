"""The formats in which papers can be downloaded: what each is called, its media type, and how it is written."""

import json
import re
from collections.abc import Callable, Iterable

from django.http import HttpResponse
from msgspec import Struct

from papers.catalogue import citations
from papers.catalogue.schemas import PaperMetadata
from papers.snapshot.served import reading

BIBTEX_TYPE, RIS_TYPE = "application/x-bibtex", "application/x-research-info-systems"
CSL_TYPE, MARKDOWN_TYPE = "application/vnd.citationstyles.csl+json", "text/markdown"


def as_json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2)


class ListFormat(Struct, frozen=True):
    """A format for several papers in one file."""

    suffix: str
    label: str
    media_type: str
    write: Callable[[Iterable[PaperMetadata]], str]


FORMATS = (
    ListFormat("json", "JSON", "application/json", lambda papers: as_json([paper.model_dump() for paper in papers])),
    ListFormat("bib", "BibTeX", BIBTEX_TYPE, citations.bibtex_file),
    ListFormat("ris", "RIS", RIS_TYPE, citations.ris_file),
    ListFormat("csv", "CSV", "text/csv", citations.csv_file),
    ListFormat("md", "Markdown", MARKDOWN_TYPE, citations.markdown_file),
)
FORMAT_BY_SUFFIX = {item.suffix: item for item in FORMATS}
# The list pages have a feed as well.
LIST_SUFFIXES = {item.suffix: item.label for item in FORMATS} | {"atom": "Atom feed"}
PAPER_SUFFIXES = ("json", "md", "bib", "ris", "csl")


def papers_file(papers: list[PaperMetadata], suffix: str) -> HttpResponse:
    """Several papers in one file."""
    chosen = FORMAT_BY_SUFFIX[suffix]
    with reading():
        body = chosen.write(papers)
    # Markdown is there to be read; the others are saved.
    return text_file(body, chosen.media_type, "" if suffix == "md" else f"papers.{suffix}")


def text_file(body: str, media_type: str, name: str = "") -> HttpResponse:
    """A text; with a name, as a download under it."""
    charset = "" if media_type == "application/json" else "; charset=utf-8"
    response = HttpResponse(body, content_type=f"{media_type}{charset}")
    if name:
        safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)
        response["Content-Disposition"] = f'attachment; filename="{safe}"'
    return response
