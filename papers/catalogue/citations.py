"""Citations of papers: BibTeX, RIS, CSL-JSON, a plain reference, lists of them, and metadata in a paper's page."""

import json
import re
from collections.abc import Callable, Iterable, Sequence

from django.urls import reverse
from msgspec import Struct
from msgspec.structs import replace

from ingest.bibtex.citation import StoredBibtex, read_stored_entry
from papercore.bibliography.bibtex import bibtex_entry
from papercore.bibliography.citation import Citation, bibtex_key, csl_item, csv_table, markdown_text, ris_record
from papercore.bibliography.citation import unique_key as free_key
from papercore.bibliography.fields import UNKNOWN, PersonName, bibtex_type, parse_name
from papercore.bibliography.identifiers import doi_url
from papercore.text import one_line
from papers.catalogue.schemas import PaperMetadata
from papers.snapshot.models import PaperBibtex
from papers.snapshot.queries import bibtex_entries
from papers.snapshot.served import connection

_CSV_HEADER = ("paper_id", "title", "authors", "year", "venue", "doi", "keywords", "tags", "url")
# Authors named in a reference before the rest are counted.
_NAMED_AUTHORS = 20
_DATE = re.compile(r"\d{4}(?:-\d\d){1,2}")
_VENUE_TAGS = {"paper-conference": "citation_conference_title", "chapter": "citation_inbook_title"}
_PUBLISHER_TAGS = {
    "thesis": "citation_dissertation_institution",
    "report": "citation_technical_report_institution",
}
# What schema.org calls them; everything else is a ScholarlyArticle.
_TYPES = {"book": "Book", "chapter": "Chapter", "thesis": "Thesis", "report": "Report", "dataset": "Dataset"}


class Citations(Struct, frozen=True):
    """One paper's citation in every format.

    `stored` says that the BibTeX is the entry kept with the paper; `note` says why an entry that is kept is not given.
    """

    citation: Citation
    key: str
    stored: bool
    note: str
    bibtex: str
    ris: str
    csl: str
    text: str


def citation_of(paper: PaperMetadata, stored: PaperBibtex | None) -> Citation:
    """What the site knows of a paper, completed by its stored record: volume, pages, publisher, editors and so on."""
    entry = read_stored_entry(stored.bibtex_raw) if stored else StoredBibtex(Citation(""))
    record = entry.citation
    date = f"{paper.year}-{paper.month:02d}" if paper.year and paper.month else ""
    if _DATE.fullmatch(paper.publication_date):
        date = paper.publication_date
    # Where the paper itself is; never a page of this site.
    address = f"https://arxiv.org/abs/{paper.arxiv_id}" if paper.arxiv_id else ""
    if paper.doi:
        address = doi_url(paper.doi)
    return replace(
        record,
        title=paper.title,
        authors=_authors(paper.authors, record),
        year=str(paper.year or record.year),
        date=date or record.date,
        venue=record.venue or ("" if paper.venue in (UNKNOWN, record.publisher) else paper.venue),
        doi=paper.doi or record.doi,
        url=record.url or address,
        abstract=entry.abstract or (one_line(paper.abstract or "") if paper.abstract_authors_words else ""),
        keywords=tuple(paper.keywords),
    )


def _authors(names: Sequence[str], record: Citation) -> tuple[PersonName, ...]:
    """The names in their parts as the record has them: `Pérez Marc` may be one family name."""
    by_name = {name.natural: name for name in record.authors}
    if not by_name and list(names) == [name.natural for name in record.editors]:
        # The site shows the editors of a volume as its authors; a citation tells them apart.
        return ()
    return tuple(by_name.get(name) or parse_name(name) for name in names)


def stored_entries(papers: Sequence[PaperMetadata]) -> dict[str, PaperBibtex]:
    return bibtex_entries(connection(), [paper.paper_id for paper in papers])


def citations(paper: PaperMetadata) -> Citations:
    """All formats for one paper."""
    row = stored_entries([paper]).get(paper.paper_id)
    citation = citation_of(paper, row)
    key = (row.bibtex_key if row else None) or bibtex_key(citation)
    problem = read_stored_entry(row.bibtex_raw).problem if row else ""
    stored = row.bibtex_raw.strip() if row and not problem else ""
    return Citations(
        citation=citation,
        key=key,
        stored=bool(stored),
        note=problem,
        bibtex=stored or bibtex_entry(citation, key),
        ris=ris_record(citation),
        csl=json.dumps([csl_item(citation, key)], ensure_ascii=False, indent=2),
        text=reference(citation),
    )


def generated_entry(paper: PaperMetadata) -> PaperBibtex:
    """An entry made from the metadata, which nothing stores."""
    citation = citation_of(paper, None)
    key = bibtex_key(citation)
    entry_type = bibtex_type(citation.known_kind)
    return PaperBibtex(bibtex_raw=bibtex_entry(citation, key), bibtex_key=key, entry_type=entry_type)


def reference(citation: Citation) -> str:
    """A plain reference: names, year, title, venue with volume and pages, address."""
    names = [_short_name(name) for name in citation.authors or citation.editors]
    more = f", and {len(names) - _NAMED_AUTHORS} more" if len(names) > _NAMED_AUTHORS else ""
    who = ", ".join(names[:_NAMED_AUTHORS]) + more
    # `Neural Computation, 9(8), 1735-1780`; for a book its publisher.
    issue = f"({citation.issue})" if citation.issue else ""
    container = (citation.venue or citation.publisher, citation.volume + issue, citation.pages)
    where = one_line(", ".join(part for part in container if part)).rstrip(".")
    parts = [
        f"{who} ({citation.year or 'n.d.'})." if who else f"({citation.year or 'n.d.'}).",
        f"{one_line(citation.title).rstrip('.')}.",
        f"{where}." if where else "",
        citation.url,
    ]
    return " ".join(part for part in parts if part)


def _short_name(name: PersonName) -> str:
    """`Vaswani, A.`; a name in one word stays as it is."""
    initials = " ".join(f"{part[0]}." for part in name.given.replace(".", " ").split())
    return ", ".join(part for part in (name.family, initials, name.suffix) if part)


def bibtex_file(papers: Iterable[PaperMetadata]) -> str:
    """One entry after the other: stored ones unchanged, the others under unused keys.

    A stored one that BibTeX cannot read would take those after it along: a generated one is in its place.
    """
    papers = list(papers)
    stored = stored_entries(papers)
    problems = {paper_id: read_stored_entry(row.bibtex_raw).problem for paper_id, row in stored.items()}
    taken = {row.bibtex_key or "" for row in stored.values()}
    entries: list[str] = []
    for paper in papers:
        row = stored.get(paper.paper_id)
        problem = problems.get(paper.paper_id, "")
        if row and not problem:
            entries.append(row.bibtex_raw.strip())
            continue
        citation = citation_of(paper, row)
        key = free_key(bibtex_key(citation), taken)
        taken.add(key)
        entries.append(bibtex_comment(problem) + bibtex_entry(citation, key))
    return "\n\n".join(entries) + "\n"


def bibtex_comment(problem: str) -> str:
    """A line before a generated entry, if a stored one should have been in its place."""
    return f"% {problem} This one is generated from the metadata.\n" if problem else ""


def ris_file(papers: Iterable[PaperMetadata]) -> str:
    return "".join(ris_record(citation) for citation in _citations_of(list(papers)))


def _citations_of(papers: Sequence[PaperMetadata]) -> list[Citation]:
    stored = stored_entries(papers)
    return [citation_of(paper, stored.get(paper.paper_id)) for paper in papers]


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
    return "".join(f"- {markdown_text(reference(citation))}\n" for citation in _citations_of(list(papers)))


def citation_tags(paper: PaperMetadata, citation: Citation, absolute: Callable[[str], str]) -> list[tuple[str, str]]:
    """The tags that Zotero and Google Scholar read."""
    page, pdf = (reverse(name, args=[paper.paper_id]) for name in ("paper", "pdf-file"))
    kind, (first_page, _, last_page) = citation.known_kind, citation.pages.partition("-")
    pairs = [("citation_title", paper.title)]
    pairs += [("citation_author", name) for name in paper.authors]
    pairs += [("citation_editor", name.natural) for name in citation.editors]
    pairs += [
        ("citation_publication_date", "/".join(f"{part:02d}" for part in citation.date_parts)),
        (_VENUE_TAGS.get(kind, "citation_journal_title"), citation.venue),
        ("citation_volume", citation.volume),
        ("citation_issue", citation.issue),
        ("citation_firstpage", first_page),
        ("citation_lastpage", last_page),
        (_PUBLISHER_TAGS.get(kind, "citation_publisher"), citation.publisher),
        ("citation_issn", citation.issn),
        ("citation_isbn", citation.isbn),
        ("citation_language", citation.language),
        ("citation_doi", paper.doi or ""),
        ("citation_arxiv_id", paper.arxiv_id or ""),
        ("citation_public_url", citation.url),
        ("citation_abstract_html_url", absolute(page)),
        ("citation_pdf_url", absolute(pdf) if paper.has_pdf else ""),
    ]
    pairs += [("citation_keywords", word) for word in paper.keywords]
    return [(name, value) for name, value in pairs if value]


def json_ld(paper: PaperMetadata, citation: Citation, url: str) -> str:
    """A ScholarlyArticle of schema.org, or the type that fits better."""
    item: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": _TYPES.get(citation.known_kind, "ScholarlyArticle"),
        "headline": paper.title,
        "url": url,
        "author": [{"@type": "Person", "name": name} for name in paper.authors],
    }
    # The journal or book that the paper is part of.
    kind = "Periodical" if citation.known_kind.startswith("article") else "Book"
    container = {"@type": kind, "name": citation.venue}
    if kind == "Periodical" and citation.issn:
        container["issn"] = citation.issn
    known = {
        "editor": [{"@type": "Person", "name": name.natural} for name in citation.editors],
        "datePublished": "-".join(f"{part:02d}" for part in citation.date_parts),
        "isPartOf": container if citation.venue else None,
        "volumeNumber": citation.volume,
        "issueNumber": citation.issue,
        "pagination": citation.pages,
        "publisher": {"@type": "Organization", "name": citation.publisher} if citation.publisher else None,
        "inLanguage": citation.language,
        "isbn": citation.isbn,
        "sameAs": doi_url(paper.doi) if paper.doi else citation.url,
        "abstract": citation.abstract,
        "keywords": ", ".join(paper.keywords),
    }
    return json.dumps(item | {name: value for name, value in known.items() if value}, ensure_ascii=False)
