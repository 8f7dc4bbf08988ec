"""Citations of papers: BibTeX, RIS, CSL-JSON, a plain reference, and lists of them for download."""

import json
import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ingest.bibtex.citation import StoredEntry, read_stored_entry
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
# The template of an abstract that serves as summary.
_ABSTRACT_TEMPLATE = "abstract"
# So much of an abstract tells whether a summary repeats it.
_COMPARED_CHARS = 120


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
    entry = read_stored_entry(stored.bibtex_raw) if stored else StoredEntry(Citation(""))
    record = entry.record
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
        abstract=entry.abstract or _abstract(paper),
        keywords=tuple(paper.keywords),
    )


def _authors(names: Sequence[str], record: Citation) -> tuple[PersonName, ...]:
    """The names in their parts as the record has them: `Pérez Marc` may be one family name."""
    by_name = {name.natural: name for name in record.authors}
    if not by_name and list(names) == [name.natural for name in record.editors]:
        # The site shows the editors of a volume as its authors; a citation tells them apart.
        return ()
    return tuple(by_name.get(name) or parse_name(name) for name in names)


def _abstract(paper: PaperMetadata) -> str:
    """The paper's abstract; not one that this site's summary of it repeats, which was written with the summary."""
    abstract = one_line(paper.abstract or "")
    is_own_text = paper.preferred_summary_template != _ABSTRACT_TEMPLATE
    return "" if is_own_text and abstract[:_COMPARED_CHARS] in paper.summary_preview else abstract


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
