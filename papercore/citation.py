"""Citations as BibTeX, RIS and CSL, and as tables: author names, keys, and the escaping of every format."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import count, product
from string import ascii_lowercase
from urllib.parse import quote

from papercore.text import without_accents

# Letters that Unicode does not decompose into a base letter and a mark.
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
)
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "_": r"\_",
    "#": r"\#",
    "$": r"\$",
    "~": r"\textasciitilde{}",
    # Readers decode \textasciicircum as a modifier letter; this stays the plain sign.
    "^": r"\string^",
}
_PROCEEDINGS = re.compile(r"\b(proceedings|proc\.|conference|symposium|workshop|advances in neural)", re.I)
_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~]|&(?=[#\w]+;)")
# A spreadsheet reads a cell that starts with one of these as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NAME_SUFFIX = re.compile(r"^(jr|sr|ii|iii|iv|phd|md)\.?$", re.I)


@dataclass(frozen=True)
class Citation:
    """What a citation says of a paper; unknown fields are empty."""

    title: str
    authors: tuple[str, ...] = ()
    year: str = ""
    venue: str = ""
    doi: str = ""
    url: str = ""
    abstract: str = ""
    keywords: tuple[str, ...] = ()

    @property
    def in_proceedings(self) -> bool:
        return bool(_PROCEEDINGS.search(self.venue))


def one_line(text: str) -> str:
    """Collapse all white space, and drop control characters and lone surrogates."""
    kept = (char for char in text if char.isspace() or unicodedata.category(char) not in ("Cc", "Cs"))
    return " ".join("".join(kept).split())


def split_name(name: str) -> tuple[str, str]:
    """Family and given name of `Given Family` or `Family, Given`."""
    line = one_line(name)
    family, comma, given = (part.strip() for part in line.partition(","))
    if comma:
        return (family, given) if family else (line, "")
    words = line.split()
    while len(words) > 1 and _NAME_SUFFIX.match(words[-1]):
        words.pop()
    return (words[-1], " ".join(words[:-1])) if words else ("", "")


def slug_words(text: str) -> list[str]:
    """The words of a text in the letters a-z and digits, without accents."""
    return re.findall(r"[a-z0-9]+", without_accents(text.lower().translate(_LETTERS)))


def bibtex_key(citation: Citation) -> str:
    """`firstauthorlastname_year_firsttitleword`."""
    family = split_name(citation.authors[0])[0] if citation.authors else ""
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


def latex(text: str) -> str:
    """Escape a text so that LaTeX shows it, and a BibTeX reader returns it, unchanged."""
    line = one_line(text)
    balanced = _balanced(line)
    braces = {"{": r"\{", "}": r"\}"} if balanced else {"{": r"\ensuremath{\lbrace}", "}": r"\ensuremath{\rbrace}"}
    escaped = "".join(braces.get(char) or _LATEX.get(char, char) for char in line)
    # -- ?` '' and the like are ligatures in TeX.
    return re.sub(r"(?<=[-`'?!])(?=[-`'])", "{}", escaped)


def bibtex_entry(citation: Citation, key: str) -> str:
    """A BibTeX entry without the fields that are unknown."""
    kind = "inproceedings" if citation.in_proceedings else "article" if citation.venue else "misc"
    venue_field = "booktitle" if citation.in_proceedings else "journal"
    fields = {
        "title": latex(citation.title),
        "author": " and ".join(_bibtex_name(name) for name in citation.authors) or "Unknown",
        venue_field: latex(citation.venue),
        "year": latex(citation.year),
        "doi": _verbatim(citation.doi),
        "url": _verbatim(citation.url),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}"


def ris_record(citation: Citation) -> str:
    """A RIS record, with the line ends that the format demands."""
    kind = "CPAPER" if citation.in_proceedings else "JOUR" if citation.venue else "GEN"
    tags = [
        ("TY", kind),
        *(("AU", _ris_name(name)) for name in citation.authors),
        ("TI", citation.title),
        ("T2", citation.venue),
        ("PY", citation.year),
        ("DO", citation.doi),
        ("UR", citation.url),
        ("AB", citation.abstract),
        *(("KW", word) for word in citation.keywords),
    ]
    lines = [f"{tag}  - {value}" for tag, text in tags if (value := one_line(text))]
    return "\r\n".join([*lines, "ER  - ", ""])


def csl_item(citation: Citation, item_id: str) -> dict[str, object]:
    """A CSL-JSON item without the fields that are unknown."""
    kind = "paper-conference" if citation.in_proceedings else "article-journal" if citation.venue else "article"
    item: dict[str, object] = {"id": item_id, "type": kind, "title": one_line(citation.title)}
    if citation.authors:
        item["author"] = [_csl_name(name) for name in citation.authors]
    if citation.year.isdigit():
        item["issued"] = {"date-parts": [[int(citation.year)]]}
    known = {
        "container-title": citation.venue,
        "DOI": citation.doi,
        "URL": citation.url,
        "abstract": citation.abstract,
        "keyword": ", ".join(citation.keywords),
    }
    return item | {name: value for name, text in known.items() if (value := one_line(text))}


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


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0


def _bibtex_name(name: str) -> str:
    """A name in braces if it has `and` (a company), which would separate authors, or macros, which readers misread."""
    text = latex(name)
    return f"{{{text}}}" if re.search(r"\\|\b(and|others)\b", text, re.I) else text


def _verbatim(text: str) -> str:
    """DOIs and URLs are read verbatim: only what would end the field is percent-encoded."""
    return re.sub(r"[{}\\\s]", lambda match: quote(match[0]), one_line(text))


def _ris_name(name: str) -> str:
    family, given = split_name(name)
    return f"{family}, {given}" if given else family


def _csl_name(name: str) -> dict[str, str]:
    family, given = split_name(name)
    return {"family": family, "given": given} if given else {"literal": family}
