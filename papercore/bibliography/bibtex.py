"""Writes citations as BibTeX: the fields of an entry, and the escaping of texts, names and addresses."""

import re
from urllib.parse import quote

from papercore.bibliography.citation import Citation
from papercore.bibliography.fields import PersonName, bibtex_subtype, bibtex_type
from papercore.text import one_line

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
_SPECIAL = re.compile(r"[\\&%_#$~^{}]")
_BRACES = {"{": r"\{", "}": r"\}"}
_UNBALANCED_BRACES = {"{": r"\ensuremath{\lbrace}", "}": r"\ensuremath{\rbrace}"}
# -- ?` '' and the like are ligatures in TeX.
_LIGATURE = re.compile(r"(?<=[-`'?!])(?=[-`'])")
_SEPARATES_NAMES = re.compile(r"[\\,]|\b(and|others)\b", re.IGNORECASE)
_SEPARATES_KEYWORDS = re.compile("[,;]")
_ONE_WORD = re.compile(r"\w+")
_ENDS_FIELD = re.compile(r"[{}\\\s]")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_VENUE_FIELDS = {
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "inreference": "booktitle",
}
_PUBLISHER_FIELDS = {"phdthesis": "school", "techreport": "institution"}


def latex(text: str) -> str:
    """Escape a text so that LaTeX shows it, and a BibTeX reader returns it, unchanged."""
    if not text:
        return ""
    escaped = one_line(text)
    if _SPECIAL.search(escaped):
        braces = _BRACES if has_balanced_braces(escaped) else _UNBALANCED_BRACES
        escaped = "".join(braces.get(char) or _LATEX.get(char, char) for char in escaped)
    return _LIGATURE.sub("{}", escaped)


def bibtex_entry(citation: Citation, key: str) -> str:
    """A BibTeX entry without the fields that are unknown."""
    entry_type = bibtex_type(citation.known_kind)
    _, month, day = [*citation.date_parts, 0, 0, 0][:3]
    fields = {
        "title": latex(citation.title),
        "author": _names(citation.authors) or ("" if citation.editors else "Unknown"),
        "editor": _names(citation.editors),
        _VENUE_FIELDS.get(entry_type, "journal"): latex(citation.venue),
        "series": latex(citation.series),
        "year": latex(citation.year),
        "month": _MONTHS[month - 1] if 1 <= month <= 12 else "",
        "day": str(day or ""),
        "volume": latex(citation.volume),
        "number": latex(citation.issue),
        "pages": latex(citation.pages).replace("{}", "").replace("-", "--"),
        _PUBLISHER_FIELDS.get(entry_type, "publisher"): latex(citation.publisher),
        "address": latex(citation.place),
        "edition": latex(citation.edition),
        "isbn": latex(citation.isbn),
        "issn": latex(citation.issn),
        "doi": _verbatim(citation.doi),
        "url": _verbatim(citation.url),
        "language": latex(citation.language),
        "note": latex(citation.note),
        "keywords": ", ".join(_together(latex(word), _SEPARATES_KEYWORDS) for word in citation.keywords),
        "entrysubtype": bibtex_subtype(citation.kind),
    }
    # Months are macros of every BibTeX style.
    lines = [f"  {name} = " + (value if name == "month" else f"{{{value}}}") for name, value in fields.items() if value]
    return f"@{entry_type}{{{key},\n" + ",\n".join(lines) + "\n}"


def has_balanced_braces(text: str) -> bool:
    """As BibTeX counts them: escaped ones, too."""
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0


def _names(names: tuple[PersonName, ...]) -> str:
    """Each as `Family, Jr., Given`; braces keep together what readers would take apart or take for separators."""
    written = []
    for name in names:
        group = latex(name.family)
        if not name.is_group:
            parts = (part for part in (name.family, name.suffix, name.given) if part)
            written.append(", ".join(_together(latex(part), _SEPARATES_NAMES) for part in parts))
        elif _ONE_WORD.fullmatch(group) and group.lower() not in ("and", "others"):
            written.append(group)
        else:
            written.append(f"{{{group}}}")
    return " and ".join(written)


def _together(text: str, separates: re.Pattern[str]) -> str:
    """The text in braces if readers would take it apart."""
    return f"{{{text}}}" if separates.search(text) else text


def _verbatim(text: str) -> str:
    """DOIs and URLs are read verbatim: only what would end the field is percent-encoded."""
    return _ENDS_FIELD.sub(lambda match: quote(match[0]), one_line(text))
