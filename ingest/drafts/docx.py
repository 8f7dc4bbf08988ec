"""Reads a draft of Word: its paragraphs, and the citations that Zotero, Mendeley or Word itself keep in fields."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from docx import Document
from docx.opc.exceptions import OpcError
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement
from msgspec import Struct

from ingest.drafts.manuscript import CollectedText
from ingest.drafts.running_text import TextChunk, add_prose, add_running_text, before_references
from papercore.bibliography.references import is_references_heading
from papercore.processes.children import Unanswerable
from papercore.text import one_line

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_B = "{http://schemas.openxmlformats.org/officeDocument/2006/bibliography}"
# What a document may unpack to, with its pictures.
_UNPACKED_BYTES = 200_000_000
_PARTS = re.compile(r"/word/(?:foot|end)notes\.xml|/customXml/item\d{1,3}\.xml")
_WORD_CITATION = re.compile(r"(?:CITATION|\\m)\s+(\S{1,200})")
_NOT_IN_BIBTEX = re.compile(r"[{}\\]")
_NOT_IN_KEYS = re.compile(r"[^\w:.-]")


class _Piece(Struct, frozen=True):
    """Words, a heading, or a citation with its keys."""

    text: str
    paragraph: int
    keys: tuple[str, ...] = ()
    is_heading: bool = False


class _Field:
    """A field of Word while it is read: its code, then what it shows."""

    def __init__(self) -> None:
        self.code = ""
        self.shown = ""
        self.is_shown = False


def read_docx(path: Path, collected: CollectedText) -> None:
    """Citations are those of fields; a draft without any is read like plain text with a list of references."""
    try:
        with ZipFile(path) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
        document = Document(str(path)) if unpacked <= _UNPACKED_BYTES else None
        found = document.part.package.iter_parts() if document else ()
        parts = {str(part.partname): parse_xml(part.blob) for part in found if _PARTS.fullmatch(str(part.partname))}
    # What python-docx, zipfile and lxml raise for documents that are cut off or made up.
    except (OpcError, BadZipFile, NotImplementedError, RuntimeError, EOFError, KeyError, ValueError, SyntaxError):
        raise Unanswerable("it is damaged, or no Word document") from None
    if document is None:
        raise Unanswerable(f"it unpacks to more than {_UNPACKED_BYTES // 10**6} MB")
    reader = DocxReader(parts)
    pieces = list(reader.pieces(document.element))
    collected.bibtex = "\n".join(reader.bibtex.values())
    paragraphs = list(_paragraphs(pieces, reader.printed))
    if not any(piece.keys for piece in pieces):
        add_running_text(collected, paragraphs)
        return
    # What is cited beside fields is in the list of references.
    prose = {chunk.place for chunk in before_references(collected, paragraphs) if chunk.text.strip()}
    last = 0
    for (number, keys, is_heading), group in groupby(
        pieces, lambda piece: (piece.paragraph, piece.keys, piece.is_heading)
    ):
        if number not in prose:
            continue
        if number != last:
            collected.add("\n\n", number)
            last = number
        # Word cuts a text into runs wherever it likes.
        text = "".join(piece.text for piece in group)
        if keys:
            collected.cite(keys, text, number)
        elif is_heading:
            collected.head(text, number)
        else:
            add_prose(collected, text, number)


def _paragraphs(pieces: Sequence[_Piece], printed: str) -> Iterator[TextChunk]:
    """The paragraphs, and the bibliography that a field has printed."""
    texts: dict[int, str] = {}
    for piece in pieces:
        start = texts.get(piece.paragraph) or ("# " if piece.is_heading else "")
        texts[piece.paragraph] = start + piece.text
    yield from (TextChunk(text, number) for number, text in texts.items())
    if printed:
        heading = "" if any(map(is_references_heading, texts.values())) else "# References\n\n"
        yield TextChunk(heading + printed, max(texts, default=0) + 1)


class DocxReader:
    """Walks through a document; `bibtex` has an entry for each work that a field cites, by key, `printed` the list that
    a field has made of them."""

    def __init__(self, parts: Mapping[str, BaseOxmlElement]) -> None:
        self.bibtex: dict[str, str] = {}
        self.printed = ""
        self._notes = {
            f"{kind}-{note.get(f'{_W}id')}": note
            for kind in ("footnote", "endnote")
            for note in (parts[f"/word/{kind}s.xml"].iter(f"{_W}{kind}") if f"/word/{kind}s.xml" in parts else ())
        }
        self._sources = {
            source.findtext(f"{_B}Tag", ""): source
            for name, part in parts.items()
            if name.startswith("/customXml/")
            for source in part.iter(f"{_B}Source")
        }
        self._fields: list[_Field] = []
        self._paragraph = 0
        self._is_heading = False

    def pieces(self, root: BaseOxmlElement, *, is_note: bool = False) -> Iterator[_Piece]:
        passed: set[BaseOxmlElement] = set()
        for element in root.iter("{*}*"):
            if element in passed:
                continue
            name = element.tag.removeprefix(_W)
            # A field in one element; and a text box again, for old programs.
            if name == "fldSimple" or name.endswith("}Fallback"):
                passed.update(element.iter())
            if name == "p" and not is_note:
                self._paragraph += 1
                if self._fields:
                    self._fields[-1].shown += "\n\n"
                style = element.find(f"{_W}pPr/{_W}pStyle")
                self._is_heading = style is not None and style.get(f"{_W}val", "").startswith(("Heading", "Title"))
            elif name in ("footnoteReference", "endnoteReference"):
                note = self._notes.get(f"{name.removesuffix('Reference')}-{element.get(f'{_W}id')}")
                if note is not None and not is_note:
                    yield from self.pieces(note, is_note=True)
            else:
                yield from self._inline(element, name)

    def _inline(self, element: BaseOxmlElement, name: str) -> Iterator[_Piece]:
        if name == "fldChar":
            yield from self._field(element.get(f"{_W}fldCharType", ""))
        elif name == "fldSimple":
            shown = "".join(found.text or "" for found in element.iter(f"{_W}t"))
            yield from self._shown(element.get(f"{_W}instr", ""), shown)
        elif name == "instrText" and self._fields:
            self._fields[-1].code += element.text or ""
        elif name in ("t", "tab", "br"):
            yield from self._words(element.text or "" if name == "t" else " ")

    def _words(self, text: str) -> Iterator[_Piece]:
        if not self._fields:
            yield _Piece(text, self._paragraph, is_heading=self._is_heading)
        elif self._fields[-1].is_shown:
            self._fields[-1].shown += text

    def _field(self, kind: str) -> Iterator[_Piece]:
        if kind == "begin":
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].is_shown = True
        elif kind == "end" and self._fields:
            field = self._fields.pop()
            yield from self._shown(field.code, field.shown)

    def _shown(self, code: str, shown: str) -> Iterator[_Piece]:
        """A field as a citation, or else its words; those of a printed bibliography are none of the text."""
        code = code.strip()
        keys = tuple(self._cited(code))
        if keys:
            yield _Piece(shown or f"[{'; '.join(keys)}]", self._paragraph, keys)
        elif "BIBL" in code[:40]:
            self.printed += shown.strip()
        else:
            yield from self._words(shown)

    def _cited(self, code: str) -> Iterator[str]:
        """The keys of a field's works, whose entries are kept."""
        if "CSL_CITATION" in code[:60]:
            try:
                items = json.loads(code[code.index("{") :])["citationItems"]
                yield from [self._keep(item["itemData"]) for item in items]
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                return
        elif code.startswith("CITATION"):
            for tag in _WORD_CITATION.findall(code):
                if (source := self._sources.get(tag)) is not None and tag not in self.bibtex:
                    self._keep(_csl_of_source(source, tag))
                yield tag

    def _keep(self, item: Mapping[str, object]) -> str:
        authors = item.get("author") or []
        people = [person for person in authors if isinstance(person, dict)] if isinstance(authors, list) else []
        names = [
            ", ".join(filter(None, (str(person.get("family") or person.get("literal") or ""), person.get("given"))))
            for person in people
        ]
        issued = item.get("issued")
        dates = issued.get("date-parts") if isinstance(issued, dict) else None
        year = str(dates[0][0]) if dates and dates[0] else ""
        made = f"{names[0].partition(',')[0] if names else 'anonymous'}{year}-{item.get('id', '')}"
        key = _NOT_IN_KEYS.sub("", str(item.get("citation-key") or made))[:100] or "unnamed"
        kind, venue = (
            ("article", "journal") if item.get("type") == "article-journal" else ("inproceedings", "booktitle")
        )
        fields = {
            "title": item.get("title"),
            "author": " and ".join(names),
            "year": year,
            venue: item.get("container-title"),
            "volume": item.get("volume"),
            "number": item.get("issue"),
            "pages": item.get("page"),
            "doi": item.get("DOI"),
            "url": item.get("URL"),
        }
        written = [
            f"{name} = {{{_NOT_IN_BIBTEX.sub('', one_line(str(value)))}}}" for name, value in fields.items() if value
        ]
        self.bibtex.setdefault(key, f"@{kind}{{{key}, {', '.join(written)}}}")
        return key


def _csl_of_source(source: BaseOxmlElement, tag: str) -> dict[str, object]:
    """A source of Word's own list, with the names of CSL."""
    people = [
        {"family": person.findtext(f"{_B}Last", ""), "given": person.findtext(f"{_B}First", "")}
        for person in source.iterfind(f"{_B}Author/{_B}Author/{_B}NameList/{_B}Person")
    ]
    year = source.findtext(f"{_B}Year", "")
    return {
        "citation-key": tag,
        "type": "article-journal" if source.findtext(f"{_B}SourceType") == "JournalArticle" else "paper-conference",
        "title": source.findtext(f"{_B}Title", ""),
        "author": people,
        "issued": {"date-parts": [[year]]} if year else None,
        "container-title": source.findtext(f"{_B}JournalName") or source.findtext(f"{_B}ConferenceName"),
        "volume": source.findtext(f"{_B}Volume"),
        "issue": source.findtext(f"{_B}Issue"),
        "page": source.findtext(f"{_B}Pages"),
        "DOI": source.findtext(f"{_B}DOI") or source.findtext(f"{_B}StandardNumber"),
    }
