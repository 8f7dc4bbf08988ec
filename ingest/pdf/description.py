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
from ingest.pdf.front_page import FrontPage, read_front
from ingest.pdf.lines import PageLines
from ingest.pdf.names import is_person
from ingest.pdf.printed_year import printed_year
from papercore.bibliography.identifiers import arxiv_mentioned_in, canonical_arxiv, canonical_doi
from papercore.text import one_line

# "Vaswani et al. - 2017 - Attention is all you need.pdf", as reference managers name files.
_FILE_YEAR = re.compile(r" - ((?:19|20)\d\d) - ")
_NO_TITLE = re.compile(
    r"untitled|microsoft (?:word|powerpoint|excel)|^(?:https?|doi|arxiv):"
    r"|\.(?:dvi|docx?|pptx?|xlsx?|tex|pdf|indd|qxd|e?ps|html?)\b"
    r"|^(?:paper|manuscript|main)$|\bjournal of\b|\bproceedings of\b|\bpreprint\b",
    re.I,
)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^\[\]`]+")
_YEAR = re.compile(r"(?<!\d)(?:19[5-9]\d|20[0-4]\d)(?!\d)")
_ABSTRACT_HEADING = re.compile(r"abstract|summary|zusammenfassung|résumé", re.I)
_ABSTRACT_LEAD = re.compile(r"abstract\s*[-—–.:]+\s*(?=\w)", re.I)
_BETWEEN_NAMES = re.compile(r"[,;·•&]|\b(?:and|und|et)\b(?! al)")
# A comma in the file's field may part a family name from a given one.
_BETWEEN_STATED = re.compile(r" ?; ?| and ")
_XMP_START, _XMP_END = b"<x:xmpmeta", b"</x:xmpmeta>"
_XMP_BYTES = 4_000_000
_DC, _PRISM, _RDF = (
    "{http://purl.org/dc/elements/1.1/}",
    "{http://prismstandard.org/namespaces/basic/2.0/}",
    "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}",
)
_TITLE_CHARS = 400
# The part of a page in which its title is.
_UPPER = 0.7
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
    path: Path,
    pages: Sequence[PageLines],
    turned: Sequence[str],
    blocks: Sequence[PdfBlock],
    information: Mapping[str, str],
) -> PdfDescription:
    """All that can be known of the paper. The title is never empty: the file's name is the last resort."""
    xmp, named = _Xmp.of(path), _FileName.of(path)
    stamp = f"{turned[0] if turned else ''} {information.get('Title', '')}"
    lines = pages[0].lines if pages else []
    page_text = " ".join(line.text for line in lines)
    # What a title may stand in: at the foot it is a running title, of the whole volume or series as well.
    upper_text = " ".join(line.text for line in lines if line.top < _UPPER * pages[0].height)
    front = read_front(pages, named.title if named else path.stem) if lines else FrontPage("", (), [], [])
    arxiv = arxiv_mentioned_in(f"{stamp} {path.stem}") or canonical_arxiv(path.stem) or arxiv_mentioned_in(page_text)
    # With several DOIs on the first page, some are of papers that it cites.
    dois = {canonical_doi(doi) for line in lines for doi in _DOI.findall(line.text)} - {None}
    year = xmp.year or (named.year if named else "") or printed_year(pages, stamp, front.above, front.between)
    return PdfDescription(
        title=_title(xmp.title, information.get("Title", ""), front.title, named, path, upper_text),
        authors=_authors(xmp.authors, information.get("Author", ""), front, page_text, named),
        year=year or (f"20{arxiv[:2]}" if arxiv and re.match(r"\d{4}\.", arxiv) else ""),
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


def _title(xmp_title: str, field: str, seen: str, named: _FileName | None, path: Path, upper_text: str) -> str:
    on_page = folded(upper_text)
    for stated in (xmp_title, field):
        words = one_line(stated)
        believed = len(words) >= 8 and not _NO_TITLE.search(words) and (not on_page or folded(words) in on_page)
        # The page may say more: a title with its subtitle.
        if believed and not (folded(words) in folded(seen) and len(seen) < 3 * len(words)):
            return words[:_TITLE_CHARS]
    if named and (not seen or folded(named.title)[:40] in on_page):
        return named.title
    if len(seen) >= 4:
        return seen
    words = one_line(named.title if named else path.stem.replace("_", " ").replace("-", " "))
    return words[:1].upper() + words[1:]


def _authors(
    xmp_authors: tuple[str, ...], field: str, front: FrontPage, page_text: str, named: _FileName | None
) -> tuple[str, ...]:
    """Those whom the page names. The file's fields count where the page has their names, and has no more than they."""
    on_page = folded(page_text)
    in_field = tuple(_BETWEEN_STATED.split(one_line(field)))
    listed = tuple(part.strip() for part in _BETWEEN_NAMES.split(one_line(field)))
    if "," in field and ";" not in field and all(map(is_person, listed)):
        # "Ana Shore, Ben Bank"; but "García Márquez, Gabriel José" looks the same.
        in_field = listed if len(listed) > 2 or set(listed) & set(front.authors) else ()
    for stated in (xmp_authors, in_field):
        names = tuple(natural_name(name) for name in stated if len(name.split()) > 1)
        are_persons = all(is_person(name) and folded(name.split()[-1]) in on_page for name in names)
        if names and len(names) >= len(front.authors) and are_persons:
            return names[:_AUTHORS]
    if front.authors or not named:
        return front.authors[:_AUTHORS]
    return tuple(one_line(name) for name in _BETWEEN_NAMES.split(named.authors) if "et al" not in name)


def _abstract(blocks: Sequence[PdfBlock]) -> str:
    """The first paragraph under the heading "Abstract", or after the word at the start of a paragraph."""
    for index, block in enumerate(blocks[:20]):
        if block.kind == "heading" and _ABSTRACT_HEADING.fullmatch(block.text.strip(" .:")):
            following = blocks[index + 1 : index + 2]
            return following[0].text if following and following[0].kind == "paragraph" else ""
        if block.kind == "paragraph" and (lead := _ABSTRACT_LEAD.match(block.text)):
            return block.text[lead.end() :]
    return ""
