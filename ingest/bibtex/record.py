"""What the fields of a BibTeX or biblatex entry say of a paper."""

import re
from collections.abc import Mapping

from ingest.bibtex.journals import journal_name
from ingest.bibtex.latex import latex_names, latex_text
from papercore.bibliography.citation import Citation
from papercore.bibliography.dates import UNKNOWN, date_text, parse_date
from papercore.bibliography.identifiers import arxiv_mentioned_in, arxiv_of_doi, canonical_arxiv, canonical_doi
from papercore.bibliography.kinds import kind_of_bibtex
from papercore.text import one_line

Fields = Mapping[str, str]

_VENUES = ("journal", "journaltitle", "booktitle", "maintitle")
_PUBLISHERS = ("publisher", "school", "institution", "organization")
_DASHES = re.compile(r"[-‐‑‒–—]+")
_ISO_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}(?![-\d])")
_URL_MACRO = re.compile(r"\\url\s*\{([^{}]*)\}")


def citation_of(entry_type: str, fields: Fields) -> Citation:
    """Everything that a citation can hold but abstract and keywords, in plain text."""
    date = date_of(fields)
    year = parse_date(date).year
    return Citation(
        title=title_of(fields),
        authors=latex_names(fields.get("author", "")),
        editors=latex_names(fields.get("editor", "")),
        kind=kind_of_bibtex(entry_type, fields.get("entrysubtype", "")),
        year="" if year == UNKNOWN else year,
        date=found[0] if (found := _ISO_DATE.match(date)) else "",
        venue=venue_of(fields),
        series=_text(fields, "series"),
        volume=_text(fields, "volume"),
        issue=_text(fields, "number", "issue"),
        pages="-".join(part.strip() for part in _DASHES.split(_text(fields, "pages", "eid"))),
        publisher=_text(fields, *_PUBLISHERS),
        place=_text(fields, "address", "location"),
        edition=_text(fields, "edition"),
        isbn=_text(fields, "isbn"),
        issn=_text(fields, "issn"),
        language=_text(fields, "language", "langid"),
        note=_text(fields, "note", "addendum", "annote"),
        doi=doi_of(fields) or "",
        url=url_of(fields),
    )


def _text(fields: Fields, *names: str) -> str:
    value = next((fields[name] for name in names if fields.get(name, "").strip()), "")
    return one_line(latex_text(value))


def title_of(fields: Fields) -> str:
    """The title with biblatex's subtitle."""
    title, subtitle = _text(fields, "title"), _text(fields, "subtitle")
    if not title or not subtitle:
        return title or subtitle
    return f"{title} {subtitle}" if title.endswith((":", "?", "!", ".")) else f"{title}: {subtitle}"


def venue_of(fields: Fields) -> str:
    venue = next((fields[name] for name in _VENUES if fields.get(name, "").strip()), "")
    return one_line(latex_text(journal_name(venue)))


def date_of(fields: Fields) -> str:
    date = one_line(fields.get("date", ""))
    if date:
        return date
    year, month = one_line(latex_text(fields.get("year", ""))), one_line(fields.get("month", ""))
    return date_text(year, month, one_line(fields.get("day", "")))


def url_of(fields: Fields) -> str:
    found = _URL_MACRO.search(fields.get("howpublished", ""))
    return one_line(fields.get("url", "") or (found[1] if found else "")).replace("\\", "")


def doi_of(fields: Fields) -> str | None:
    return canonical_doi(fields.get("doi", "").replace("\\", "") or fields.get("url", ""))


def arxiv_of(fields: Fields) -> str | None:
    """The arXiv id, wherever an entry may have it: eprint, address, DOI, or a journal such as `arXiv:1706.03762`."""
    archive = (fields.get("archiveprefix") or fields.get("eprinttype") or "arxiv").strip().lower()
    eprint = canonical_arxiv(fields.get("eprint", "")) if archive == "arxiv" else None
    named = fields.get("arxiv") or fields.get("arxivid") or fields.get("url", "")
    # DBLP's way: journal CoRR, volume abs/1706.03762.
    volume = fields.get("volume", "").lower()
    corr = canonical_arxiv(volume.removeprefix("abs/")) if volume.startswith("abs/") else None
    venue = f"{fields.get('journal') or fields.get('journaltitle', '')} {fields.get('howpublished', '')}"
    return eprint or canonical_arxiv(named) or arxiv_of_doi(doi_of(fields)) or corr or arxiv_mentioned_in(venue) or None
