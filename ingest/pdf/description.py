"""What a PDF says of itself: title, authors, year, DOI and arXiv id, from its fields, first page and file name.

A wrong fact is worse than a missing one: what is not sure stays empty.
"""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ingest.entries.text import folded, natural_name
from ingest.pdf.blocks import PdfBlock
from ingest.pdf.lines import Line, PageLines
from papercore.bibliography.identifiers import arxiv_mentioned_in, canonical_arxiv, canonical_doi
from papercore.text import one_line

# "Vaswani et al. - 2017 - Attention is all you need.pdf", as reference managers name files.
_FILE_YEAR = re.compile(r" - ((?:19|20)\d\d) - ")
_NO_TITLE = re.compile(
    r"untitled|microsoft word|\.(?:dvi|docx?|tex|pdf|indd|qxd|ps)\b|^(?:paper|manuscript|main)$", re.I
)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^\[\]`]+")
_YEAR = re.compile(r"(?<!\d)(?:19[5-9]\d|20[0-4]\d)(?!\d)")
# Words beside which a year on the first page is the year of publication.
_DATED = re.compile(
    r"©|\(c\)|copyright|published|proceedings|conference|workshop|journal|vol\.|volume|accepted|preprint", re.I
)
_ABSTRACT = re.compile(r"abstract\b|summary\b|zusammenfassung\b|résumé\b|1\.? introduction\b|introduction\b", re.I)
_ABSTRACT_HEADING = re.compile(r"abstract|summary|zusammenfassung|résumé", re.I)
_ABSTRACT_LEAD = re.compile(r"abstract\s*[-—–.:]+\s*(?=\w)", re.I)
_NAME_MARKS = re.compile(r"(?<![\d*†‡§¶∗♯♮,])[\d*†‡§¶∗♯♮,]+(?=\s|$)|(?<=[^\W\d])[\d*†‡§¶∗]+")
_NAME = re.compile(r"(?:[A-Z]\.[- ]?|[^\W\d_][\w'’.-]*\s+){1,4}(?:[\w'’-]+\s+)?[^\W\d_][\w'’-]+")
_BETWEEN_NAMES = re.compile(r"[,;·•&]|\b(?:and|und|et)\b(?! al)")
# A comma in the file's field may part a family name from a given one.
_BETWEEN_STATED = re.compile(r" ?; ?| and ")
_NO_NAME = re.compile(
    r"@|universi|institut|department|school|college|laborator|research|google|microsoft|academy|center|centre|inc\b"
    r"|faculty|hospital|street|\bof\b|\bthe\b|\bfor\b|http|www|press|journal|proceedings|conference",
    re.I,
)
_XMP_START, _XMP_END = b"<x:xmpmeta", b"</x:xmpmeta>"
_XMP_BYTES = 4_000_000
_DC, _PRISM, _RDF = (
    "{http://purl.org/dc/elements/1.1/}",
    "{http://prismstandard.org/namespaces/basic/2.0/}",
    "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}",
)
_TITLE_CHARS = 400
_AUTHORS = 60


class PdfDescription(Struct, frozen=True):
    title: str
    authors: tuple[str, ...] = ()
    year: str = ""
    doi: str | None = None
    arxiv: str | None = None
    abstract: str = ""


class _FileName(Struct, frozen=True):
    """The parts of a name that a reference manager gave."""

    authors: str
    year: str
    title: str

    @classmethod
    def of(cls, path: Path) -> "_FileName | None":
        parts = _FILE_YEAR.split(path.stem.replace("_", " "), maxsplit=1)
        return cls(*parts) if len(parts) == 3 else None


def describe(
    path: Path, first_page: PageLines | None, turned: str, blocks: Sequence[PdfBlock], information: Mapping[str, str]
) -> PdfDescription:
    """All that can be known of the paper. The title is never empty: the file's name is the last resort."""
    xmp = _Xmp.of(path)
    lines = first_page.lines if first_page else []
    page_text = " ".join(line.text for line in lines)
    named = _FileName.of(path)
    title_lines = _title_lines(first_page) if first_page else []
    arxiv = arxiv_mentioned_in(f"{turned} {path.stem}") or canonical_arxiv(path.stem) or arxiv_mentioned_in(page_text)
    # With several DOIs on the first page, some are of papers that it cites.
    dois = {canonical_doi(doi) for line in lines for doi in _DOI.findall(line.text)} - {None}
    return PdfDescription(
        title=_title(xmp.title, information.get("Title", ""), title_lines, named, path, page_text),
        authors=_authors(xmp.authors, information.get("Author", ""), lines, title_lines, named),
        year=_year(arxiv, named, lines, xmp.year),
        doi=canonical_doi(xmp.doi) or (dois.pop() if len(dois) == 1 else None),
        arxiv=arxiv,
        abstract=_abstract(blocks),
    )


class _Xmp(Struct, frozen=True):
    title: str = ""
    authors: tuple[str, ...] = ()
    year: str = ""
    doi: str = ""

    @classmethod
    def of(cls, path: Path) -> "_Xmp":
        """The file's XMP packet, where it has one that is not compressed."""
        with path.open("rb") as stream:
            content = stream.read(_XMP_BYTES)
        start, end = content.find(_XMP_START), content.find(_XMP_END)
        packet = content[start : end + len(_XMP_END)]
        if start < 0 or end < start or b"<!DOCTYPE" in packet:
            return cls()
        try:
            root = ElementTree.fromstring(packet)  # noqa: S314 (no document type, bounded, in a process with limits)
        except ElementTree.ParseError:
            return cls()
        fields = cls()
        for element in root.iter():
            texts = tuple(one_line("".join(item.itertext())) for item in element.iter(f"{_RDF}li"))
            if element.tag == f"{_DC}title" and texts:
                fields = replace(fields, title=texts[0])
            elif element.tag == f"{_DC}creator":
                fields = replace(fields, authors=tuple(text for text in texts if text))
            elif element.tag.endswith("}doi") and element.text:
                fields = replace(fields, doi=element.text.strip())
            elif element.tag == f"{_PRISM}publicationDate" and (year := _YEAR.search("".join(element.itertext()))):
                fields = replace(fields, year=year[0])
        return fields


def _title_lines(page: PageLines) -> list[Line]:
    """The largest lines in the upper half of the first page."""
    upper = [line for line in page.lines if line.top < 0.55 * page.height and sum(map(str.isalpha, line.text)) > 3]
    if not upper:
        return []
    largest = max(line.size for line in upper)
    start = next(index for index, line in enumerate(upper) if line.size > 0.97 * largest)
    title = [upper[start]]
    for line in upper[start + 1 :]:
        if line.size < 0.97 * largest or abs(line.top - title[-1].top) > 2.2 * largest:
            break
        title.append(line)
    return title


def _title(
    xmp_title: str,
    field: str,
    title_lines: Sequence[Line],
    named: _FileName | None,
    path: Path,
    page_text: str,
) -> str:
    on_page = folded(page_text)
    for stated in (xmp_title, field):
        words = one_line(stated)
        if len(words) >= 8 and not _NO_TITLE.search(words) and (not on_page or folded(words) in on_page):
            return words[:_TITLE_CHARS]
    seen = one_line(" ".join(line.text for line in title_lines))
    if named and (not seen or folded(named.title)[:40] in on_page or len(seen) > _TITLE_CHARS):
        return named.title
    if 8 <= len(seen) <= _TITLE_CHARS:
        return seen.rstrip("*∗†")
    return one_line(named.title if named else path.stem.replace("_", " ").replace("-", " "))


def _authors(
    xmp_authors: tuple[str, ...],
    field: str,
    lines: Sequence[Line],
    title_lines: Sequence[Line],
    named: _FileName | None,
) -> tuple[str, ...]:
    on_page = folded(" ".join(line.text for line in lines))
    for stated in (xmp_authors, tuple(_BETWEEN_STATED.split(one_line(field)))):
        names = tuple(natural_name(name) for name in stated if len(name.split()) > 1)
        if names and all(folded(name.split()[-1]) in on_page for name in names):
            return names[:_AUTHORS]
    found = _authors_below(lines, title_lines)
    if found or not named:
        return found
    return tuple(one_line(name) for name in _BETWEEN_NAMES.split(named.authors) if "et al" not in name)


def _authors_below(lines: Sequence[Line], title_lines: Sequence[Line]) -> tuple[str, ...]:
    """The names in the lines between the title and the abstract."""
    if not title_lines:
        return ()
    names: list[str] = []
    below = sorted((line for line in lines if line.top > title_lines[-1].top + 1), key=lambda line: line.top)
    for line in below[:25]:
        if _ABSTRACT.match(line.text.strip()):
            break
        if _NO_NAME.search(line.text):
            continue
        parts = _BETWEEN_NAMES.split(_NAME_MARKS.sub(", ", line.text))
        candidates = [one_line(part) for part in parts if part.strip()]
        if candidates and all(_NAME.fullmatch(name) and name[0].isupper() for name in candidates):
            names += candidates
    return tuple(dict.fromkeys(names))[:_AUTHORS]


def _year(arxiv: str | None, named: _FileName | None, lines: Sequence[Line], stated: str) -> str:
    if stated:
        return stated
    if named:
        return named.year
    for line in lines:
        if _DATED.search(line.text) and (years := _YEAR.findall(line.text)):
            return str(max(years))
    return f"20{arxiv[:2]}" if arxiv and re.match(r"\d{4}\.", arxiv) else ""


def _abstract(blocks: Sequence[PdfBlock]) -> str:
    """The first paragraph under the heading "Abstract", or after the word at the start of a paragraph."""
    for index, block in enumerate(blocks[:20]):
        if block.kind == "heading" and _ABSTRACT_HEADING.fullmatch(block.text.strip(" .:")):
            following = blocks[index + 1 : index + 2]
            return following[0].text if following and following[0].kind == "paragraph" else ""
        if block.kind == "paragraph" and (lead := _ABSTRACT_LEAD.match(block.text)):
            return block.text[lead.end() :]
    return ""
