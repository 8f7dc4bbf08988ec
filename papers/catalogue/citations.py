"""Citations of papers: BibTeX, RIS, CSL-JSON, a plain reference, and lists of them for download."""

import json
from collections.abc import Iterable

from pydantic import BaseModel

from papercore.citation import (
    Citation,
    bibtex_entry,
    bibtex_key,
    csl_item,
    csv_table,
    markdown_text,
    one_line,
    ris_record,
    split_name,
)
from papercore.citation import unique_key as free_key
from papercore.identifiers import doi_url
from papers.models import PaperBibtex
from papers.schemas import PaperMetadata

_CSV_HEADER = ("paper_id", "title", "authors", "year", "venue", "doi", "keywords", "tags", "url")
# Authors named in a reference before the rest are counted.
_NAMED_AUTHORS = 20


class Citations(BaseModel):
    """One paper's citation in every format; `stored` says that the BibTeX is the entry kept with the paper."""

    key: str
    stored: bool
    bibtex: str
    ris: str
    csl: str
    text: str


def citation_of(paper: PaperMetadata, url: str = "") -> Citation:
    return Citation(
        title=paper.title,
        authors=tuple(paper.authors),
        year=str(paper.year or ""),
        venue=paper.venue,
        doi=paper.doi or "",
        url=doi_url(paper.doi) if paper.doi else url,
        abstract=paper.abstract or "",
        keywords=tuple(paper.keywords),
    )


def citations(paper: PaperMetadata, url: str = "") -> Citations:
    """All formats for one paper."""
    citation = citation_of(paper, url)
    stored = PaperBibtex.objects.filter(paper=paper.paper_id).first()
    key = (stored.bibtex_key if stored else None) or bibtex_key(citation)
    return Citations(
        key=key,
        stored=stored is not None,
        bibtex=stored.bibtex_raw.strip() if stored else bibtex_entry(citation, key),
        ris=ris_record(citation),
        csl=json.dumps([csl_item(citation, key)], ensure_ascii=False, indent=2),
        text=reference(citation),
    )


def reference(citation: Citation) -> str:
    """A plain reference: names, year, title, venue, DOI."""
    names = [_short(name) for name in citation.authors]
    more = f", and {len(names) - _NAMED_AUTHORS} more" if len(names) > _NAMED_AUTHORS else ""
    who = ", ".join(names[:_NAMED_AUTHORS]) + more
    parts = [
        f"{who} ({citation.year or 'n.d.'})." if who else f"({citation.year or 'n.d.'}).",
        f"{one_line(citation.title).rstrip('.')}.",
        f"{one_line(citation.venue).rstrip('.')}." if citation.venue else "",
        citation.url,
    ]
    return " ".join(part for part in parts if part)


def _short(name: str) -> str:
    """`Vaswani, A.`; a name in one word stays as it is."""
    family, given = split_name(name)
    initials = " ".join(f"{part[0]}." for part in given.replace(".", " ").split())
    return f"{family}, {initials}" if initials else family


def bibtex_file(papers: Iterable[PaperMetadata]) -> str:
    """One entry after the other: stored ones unchanged, the others under unused keys."""
    papers = list(papers)
    rows = PaperBibtex.objects.filter(paper__in=[paper.paper_id for paper in papers])
    stored = {row.paper_id: row for row in rows}
    taken = {row.bibtex_key or "" for row in stored.values()}
    entries: list[str] = []
    for paper in papers:
        if paper.paper_id in stored:
            entries.append(stored[paper.paper_id].bibtex_raw.strip())
            continue
        citation = citation_of(paper)
        key = free_key(bibtex_key(citation), taken)
        taken.add(key)
        entries.append(bibtex_entry(citation, key))
    return "\n\n".join(entries) + "\n"


def ris_file(papers: Iterable[PaperMetadata]) -> str:
    return "".join(ris_record(citation_of(paper)) for paper in papers)


def csv_file(papers: Iterable[PaperMetadata]) -> str:
    rows = (
        (
            paper.paper_id,
            paper.title,
            "; ".join(paper.authors),
            str(paper.year or ""),
            paper.venue,
            paper.doi or "",
            "; ".join(paper.keywords),
            "; ".join(paper.tags),
            doi_url(paper.doi) if paper.doi else "",
        )
        for paper in papers
    )
    return csv_table(_CSV_HEADER, rows)


def markdown_file(papers: Iterable[PaperMetadata]) -> str:
    """A list with one reference a line."""
    return "".join(f"- {markdown_text(reference(citation_of(paper)))}\n" for paper in papers)
