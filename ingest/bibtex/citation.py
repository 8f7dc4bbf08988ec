"""What a BibTeX or biblatex entry says of a paper: its fields one by one, or the whole citation of a stored entry."""

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from ingest.bibtex.entries import BibtexFields, latex_names, latex_text, parse_entries
from papercore import limits
from papercore.bibliography.bibtex import has_balanced_braces
from papercore.bibliography.citation import Citation
from papercore.bibliography.fields import UNKNOWN, date_text, kind_of_bibtex, parse_date
from papercore.bibliography.identifiers import arxiv_mentioned_in, arxiv_of_doi, canonical_arxiv, canonical_doi
from papercore.text import one_line

Fields = Mapping[str, str]

# Fields of a stored entry, of which LaTeX is decoded: 40 characters take a millisecond at worst. Names, and abstracts;
# and all others. What is longer is left out of citations.
BIBTEX_LONG_FIELD_CHARS = 20_000
BIBTEX_FIELD_CHARS = 2_000
UNBALANCED = "The BibTeX entry stored with this paper has unbalanced braces: BibTeX cannot read it."
UNREADABLE = "The BibTeX entry stored with this paper is not well-formed: BibTeX cannot read it."
TOO_LONG = (
    f"The BibTeX entry stored with this paper is longer than {limits.BIBTEX_CHARS:,} characters: it is not checked."
)

_LONG_FIELDS = ("author", "editor", "abstract")
# How many entries are kept: together at most 26 MB of text.
_KEPT_SHORT, _KEPT_LONG = 4_000, 64
_SHORT_CHARS = 5_000
_VENUES = ("journal", "journaltitle", "booktitle", "maintitle")
_PUBLISHERS = ("publisher", "school", "institution", "organization")
_DASHES = re.compile(r"[-‐‑‒–—]+")
_ISO_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}(?![-\d])")
_URL_MACRO = re.compile(r"\\url\s*\{([^{}]*)\}")
_JOURNAL_MACRO = re.compile(r"\{?\\([A-Za-z]+)\}?\s*")


class StoredBibtex(Struct, frozen=True):
    """`problem` is empty for an entry that BibTeX reads; `citation` and `abstract` are what could be read of any."""

    citation: Citation
    abstract: str = ""
    problem: str = ""


def read_stored_entry(raw: str) -> StoredBibtex:
    """A stored entry, read once: what it says of the paper, and what is wrong with it."""
    if len(raw) > limits.BIBTEX_CHARS:
        return StoredBibtex(Citation(""), problem=TOO_LONG)
    return _read_short(raw) if len(raw) <= _SHORT_CHARS else _read_long(raw)


def _read(raw: str) -> StoredBibtex:
    found = list(parse_entries(raw))
    readable = [entry for entry in found if isinstance(entry, BibtexFields)]
    problem = "" if found and len(readable) == len(found) else UNREADABLE
    if not has_balanced_braces(raw):
        problem = UNBALANCED
    if not readable:
        return StoredBibtex(Citation(""), problem=problem)
    # Decoding LaTeX takes long, and a field that goes on for pages says nothing that a citation needs.
    fields = {
        name: value
        for name, value in readable[0].fields.items()
        if len(value) <= (BIBTEX_LONG_FIELD_CHARS if name in _LONG_FIELDS else BIBTEX_FIELD_CHARS)
    }
    return StoredBibtex(citation_of(readable[0].entry_type, fields), latex_text(fields.get("abstract", "")), problem)


_read_short = lru_cache(_KEPT_SHORT)(_read)
_read_long = lru_cache(_KEPT_LONG)(_read)


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
        pages=plain_pages(_text(fields, "pages", "eid")),
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


def plain_pages(text: str) -> str:
    """`12-20`, with whatever dashes it is written."""
    return "-".join(part.strip() for part in _DASHES.split(text))


def title_of(fields: Fields) -> str:
    """The title with biblatex's subtitle."""
    title, subtitle = _text(fields, "title"), _text(fields, "subtitle")
    if not title or not subtitle:
        return title or subtitle
    return f"{title} {subtitle}" if title.endswith((":", "?", "!", ".")) else f"{title}: {subtitle}"


def venue_of(fields: Fields) -> str:
    """The journal or book; the name behind a macro such as `\\mnras`."""
    venue = next((fields[name] for name in _VENUES if fields.get(name, "").strip()), "")
    macro = _JOURNAL_MACRO.fullmatch(venue.strip())
    return one_line(latex_text(_JOURNALS.get(macro[1].lower(), venue) if macro else venue))


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


# The journal macros of ADS and AASTeX, which stand for names in astronomers' BibTeX.
_JOURNALS = {
    "aap": "Astronomy and Astrophysics",
    "aapr": "Astronomy and Astrophysics Reviews",
    "aaps": "Astronomy and Astrophysics Supplement Series",
    "actaa": "Acta Astronomica",
    "aj": "The Astronomical Journal",
    "ao": "Applied Optics",
    "apj": "The Astrophysical Journal",
    "apjl": "The Astrophysical Journal Letters",
    "apjlett": "The Astrophysical Journal Letters",
    "apjs": "The Astrophysical Journal Supplement Series",
    "apjsupp": "The Astrophysical Journal Supplement Series",
    "aplett": "Astrophysical Letters",
    "applopt": "Applied Optics",
    "apspr": "Astrophysics Space Physics Research",
    "apss": "Astrophysics and Space Science",
    "araa": "Annual Review of Astronomy and Astrophysics",
    "azh": "Astronomicheskii Zhurnal",
    "baas": "Bulletin of the American Astronomical Society",
    "bain": "Bulletin of the Astronomical Institutes of the Netherlands",
    "caa": "Chinese Astronomy and Astrophysics",
    "cjaa": "Chinese Journal of Astronomy and Astrophysics",
    "fcp": "Fundamentals of Cosmic Physics",
    "gca": "Geochimica et Cosmochimica Acta",
    "grl": "Geophysical Research Letters",
    "iaucirc": "IAU Circulars",
    "icarus": "Icarus",
    "jcap": "Journal of Cosmology and Astroparticle Physics",
    "jcp": "The Journal of Chemical Physics",
    "jgr": "Journal of Geophysical Research",
    "jqsrt": "Journal of Quantitative Spectroscopy and Radiative Transfer",
    "jrasc": "Journal of the Royal Astronomical Society of Canada",
    "memras": "Memoirs of the Royal Astronomical Society",
    "memsai": "Memorie della Società Astronomica Italiana",
    "mnras": "Monthly Notices of the Royal Astronomical Society",
    "na": "New Astronomy",
    "nar": "New Astronomy Reviews",
    "nat": "Nature",
    "nphysa": "Nuclear Physics A",
    "pasa": "Publications of the Astronomical Society of Australia",
    "pasj": "Publications of the Astronomical Society of Japan",
    "pasp": "Publications of the Astronomical Society of the Pacific",
    "physrep": "Physics Reports",
    "physscr": "Physica Scripta",
    "planss": "Planetary and Space Science",
    "pra": "Physical Review A",
    "prb": "Physical Review B",
    "prc": "Physical Review C",
    "prd": "Physical Review D",
    "pre": "Physical Review E",
    "prl": "Physical Review Letters",
    "procspie": "Proceedings of SPIE",
    "psj": "The Planetary Science Journal",
    "qjras": "Quarterly Journal of the Royal Astronomical Society",
    "rmxaa": "Revista Mexicana de Astronomía y Astrofísica",
    "skytel": "Sky and Telescope",
    "solphys": "Solar Physics",
    "sovast": "Soviet Astronomy",
    "ssr": "Space Science Reviews",
    "zap": "Zeitschrift für Astrophysik",
}
