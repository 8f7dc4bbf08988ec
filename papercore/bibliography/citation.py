"""Citations as RIS and CSL, and as tables: keys, and the escaping of every format."""

import csv
import io
import re
from collections.abc import Iterable, Sequence, Set
from itertools import count, product, takewhile
from string import ascii_lowercase

from msgspec import Struct

from papercore.bibliography.fields import NUMBERED_KINDS, PersonName, ris_type
from papercore.text import LETTERS, one_line, without_accents

_PROCEEDINGS = re.compile(r"\b(proceedings|proc\.|conference|symposium|workshop|advances in neural)", re.I)
_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~]|&(?=[#\w]+;)")
# A spreadsheet reads a cell that starts with one of these as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Citation(Struct, frozen=True):
    """What a citation says of a paper; unknown fields are empty.

    `kind` is CSL's name for the type of publication, `date` is `2012-04-05` or less of it, `pages` is `12-20`.
    """

    title: str
    authors: tuple[PersonName, ...] = ()
    year: str = ""
    venue: str = ""
    doi: str = ""
    url: str = ""
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    kind: str = ""
    date: str = ""
    editors: tuple[PersonName, ...] = ()
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    place: str = ""
    series: str = ""
    edition: str = ""
    isbn: str = ""
    issn: str = ""
    language: str = ""
    note: str = ""

    @property
    def known_kind(self) -> str:
        """The kind; where the record does not say, what the venue suggests."""
        if self.kind:
            return self.kind
        if not self.venue:
            return "article"
        return "paper-conference" if _PROCEEDINGS.search(self.venue) else "article-journal"

    @property
    def date_parts(self) -> list[int]:
        """Year, month and day, as far as they are known."""
        date = self.date if self.date.startswith(self.year) else self.year
        return [int(part) for part in date.split("-")] if re.fullmatch(r"\d{1,4}(-\d\d){0,2}", date) else []


def slug_words(text: str) -> list[str]:
    """The words of a text in the letters a-z and digits, without accents."""
    return re.findall(r"[a-z0-9]+", without_accents(text.lower().translate(LETTERS)))


def bibtex_key(citation: Citation) -> str:
    """`firstauthorlastname_year_firsttitleword`."""
    family = citation.authors[0].family if citation.authors else ""
    author = "".join(slug_words(family)) or "unknown"
    year = "".join(slug_words(citation.year)) or "nd"
    word = next(iter(slug_words(citation.title)), "untitled")
    return f"{author}_{year}_{word}"


def unique_key(key: str, taken: Set[str]) -> str:
    """The key itself, or the first of key_a, key_b, ... key_z, key_aa, ... that is free."""
    if key not in taken:
        return key
    suffixes = ("".join(letters) for size in count(1) for letters in product(ascii_lowercase, repeat=size))
    return next(name for suffix in suffixes if (name := f"{key}_{suffix}") not in taken)


def ris_record(citation: Citation) -> str:
    """A RIS record, with the line ends that the format demands."""
    first, dash, last = citation.pages.partition("-")
    one_range = bool(dash) and "-" not in last
    tags = [
        ("TY", ris_type(citation.known_kind)),
        *(("AU", name.indexed) for name in citation.authors),
        *(("ED", name.indexed) for name in citation.editors),
        ("TI", citation.title),
        ("T2", citation.venue),
        ("T3", citation.series),
        ("PY", citation.year),
        ("DA", "/".join(f"{part:02d}" for part in citation.date_parts) if len(citation.date_parts) > 1 else ""),
        ("VL", citation.volume),
        ("IS", citation.issue),
        ("SP", first if one_range else citation.pages),
        ("EP", last if one_range else ""),
        ("PB", citation.publisher),
        ("CY", citation.place),
        ("ET", citation.edition),
        ("SN", citation.issn or citation.isbn),
        ("LA", citation.language),
        ("DO", citation.doi),
        ("UR", citation.url),
        ("N1", citation.note),
        ("AB", citation.abstract),
        *(("KW", word) for word in citation.keywords),
    ]
    lines = [f"{tag}  - {value}" for tag, text in tags if (value := one_line(text))]
    return "\r\n".join([*lines, "ER  - ", ""])


def csl_item(citation: Citation, item_id: str) -> dict[str, object]:
    """A CSL-JSON item without the fields that are unknown."""
    kind = citation.known_kind
    item: dict[str, object] = {"id": item_id, "type": kind, "title": one_line(citation.title)}
    for role, names in (("author", citation.authors), ("editor", citation.editors)):
        if names:
            item[role] = [csl_name(name) for name in names]
    if citation.date_parts:
        item["issued"] = {"date-parts": [citation.date_parts]}
    known = {
        "container-title": citation.venue,
        "collection-title": citation.series,
        "volume": citation.volume,
        "number" if kind in NUMBERED_KINDS else "issue": citation.issue,
        "page": citation.pages,
        "publisher": citation.publisher,
        "publisher-place": citation.place,
        "edition": citation.edition,
        "ISBN": citation.isbn,
        "ISSN": citation.issn,
        "language": citation.language,
        "note": citation.note,
        "DOI": citation.doi,
        "URL": citation.url,
        "abstract": citation.abstract,
        "keyword": ", ".join(citation.keywords),
    }
    return item | {name: value for name, text in known.items() if (value := one_line(text))}


def csl_name(name: PersonName) -> dict[str, str]:
    """A name in CSL's parts; words in lower case beside the family name are its particles."""
    if name.is_group:
        return {"literal": name.family}
    family, given = name.family.split(), name.given.split()
    particles, dropped = _leading_lower(family), _leading_lower(given[::-1])[::-1]
    parts = {
        "family": " ".join(family[len(particles) :]),
        "given": " ".join(given[: len(given) - len(dropped)]),
        "suffix": name.suffix,
        "non-dropping-particle": " ".join(particles),
        "dropping-particle": " ".join(dropped),
    }
    return {part: text for part, text in parts.items() if text}


def _leading_lower(words: Sequence[str]) -> list[str]:
    """The words in lower case at the start, but never all of them."""
    return list(takewhile(str.islower, words[:-1]))


def csv_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """CSV whose cells have no line ends and are never formulas."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(header)
    writer.writerows([csv_cell(cell) for cell in row] for row in rows)
    return buffer.getvalue()


def csv_cell(text: str) -> str:
    line = one_line(text)
    return f"'{line}" if line.startswith(_FORMULA) else line


def markdown_text(text: str) -> str:
    """Markdown that shows exactly this text, on one line, in a table cell or elsewhere."""
    return _MARKDOWN.sub(lambda match: "\\" + match[0], one_line(text)) or "-"
