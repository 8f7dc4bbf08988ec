"""Exports a collection as JSON, BibTeX, Markdown, RIS or CSV, whatever its titles contain."""

import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Literal

from msgspec import Struct

from paper_search.models import Paper, PaperCollection
from papercore.bibliography.bibtex import bibtex_entry
from papercore.bibliography.citation import Citation, bibtex_key, csv_table, markdown_text, ris_record, unique_key
from papercore.bibliography.fields import parse_name
from papercore.text import one_line

_ENTRY_HEAD = re.compile(r"\s*@\w+\s*\{\s*([^\s,{}\"]+)\s*,")
_CSV_HEADER = ("title", "authors", "year", "venue", "doi", "url", "score", "reason", "tags", "source")


def export_json(collection: PaperCollection, indent: int = 2) -> str:
    """The whole collection as JSON."""
    return collection.model_dump_json(indent=indent)


def export_bibtex(collection: PaperCollection) -> str:
    """One entry per paper, in order; a publisher's own entry is preferred if it is well-formed. No key comes twice."""
    taken: set[str] = set()
    entries = []
    for paper in collection.papers:
        stored = paper.bibtex.strip() if paper.bibtex else ""
        head = _ENTRY_HEAD.match(stored)
        if head and _is_one_entry(stored):
            key = unique_key(head[1], taken)
            entries.append(stored[: head.start(1)] + key + stored[head.end(1) :])
        else:
            citation = citation_of(paper)
            key = unique_key(bibtex_key(citation), taken)
            entries.append(bibtex_entry(citation, key))
        taken.add(key)
    return "\n\n".join(entries)


def export_markdown(collection: PaperCollection) -> str:
    """A table with one row per paper."""
    lines = [
        "| # | Title | Authors | Year | Venue | Score |",
        "|---|-------|---------|------|-------|-------|",
    ]
    for number, paper in enumerate(collection.papers, 1):
        cells = (
            markdown_text(paper.title),
            markdown_text(short_authors([author.name for author in paper.authors])),
            str(paper.year or "-"),
            markdown_text(paper.venue or "-"),
            f"{paper.relevance_score:.2f}",
        )
        lines.append(f"| {number} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def export_ris(collection: PaperCollection) -> str:
    """One RIS record per paper."""
    return "".join(ris_record(citation_of(paper)) for paper in collection.papers)


def export_csv(collection: PaperCollection) -> str:
    """A table for spreadsheets."""
    rows = (
        (
            paper.title,
            "; ".join(author.name for author in paper.authors),
            str(paper.year or ""),
            paper.venue or "",
            paper.doi or "",
            paper.full_text_url or "",
            f"{paper.relevance_score:.2f}",
            paper.relevance_reason,
            "; ".join(paper.tags),
            paper.source,
        )
        for paper in collection.papers
    )
    return csv_table(_CSV_HEADER, rows)


class ExportFormat(Struct, frozen=True):
    """A format a collection can be exported to; `suffix` is that of a file."""

    name: str
    suffix: str
    media_type: str
    export: Callable[[PaperCollection], str]


EXPORT_FORMATS = {
    export_format.name: export_format
    for export_format in (
        ExportFormat("json", "json", "application/json", export_json),
        ExportFormat("bibtex", "bib", "application/x-bibtex; charset=utf-8", export_bibtex),
        ExportFormat("markdown", "md", "text/markdown; charset=utf-8", export_markdown),
        ExportFormat("ris", "ris", "application/x-research-info-systems; charset=utf-8", export_ris),
        ExportFormat("csv", "csv", "text/csv; charset=utf-8", export_csv),
    )
}
# The formats that the tool export_results offers to agents.
ToolFormat = Literal["json", "bibtex", "markdown"]


def short_authors(names: Sequence[str]) -> str:
    """Up to three authors by name, else the first and `et al.`."""
    if len(names) > 3:
        return f"{names[0]} et al."
    return ", ".join(names) or "-"


def citation_of(paper: Paper) -> Citation:
    return Citation(
        title=paper.title,
        authors=tuple(parse_name(author.name) for author in paper.authors if one_line(author.name)),
        year=str(paper.year or ""),
        venue=paper.venue or "",
        doi=paper.doi or "",
        url=paper.full_text_url or "",
        abstract=paper.abstract or "",
    )


def _is_one_entry(text: str) -> bool:
    """True if the entry's braces close with its last character and not before, escaped braces counted or not."""
    for form in (text, re.sub(r"\\[{}]", "", text)):
        depths = list(accumulate((char == "{") - (char == "}") for char in form))
        closed = next((place for place, depth in enumerate(depths) if form[place] == "}" and depth == 0), None)
        if closed != len(form) - 1:
            return False
    return not re.search(r"\n[^\S\n]*@", text)
