"""Finds the references of a markdown text and reads each: year, DOI, arXiv id, and the title where it is clear."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from papercore import limits
from papercore.bibliography.identifiers import arxiv_mentioned_in, arxiv_of_doi, canonical_doi
from papercore.text import CJK, WORD, folded_word, has_cjk, one_line
from papercore.text.blocks import Block, blocks

_NAMES = (
    "references|reference list|references cited|references and notes|bibliography|literature|literature cited"
    "|works cited|cited works|literatur|literaturverzeichnis|références|bibliographie|referencias|bibliografía"
    "|riferimenti|bibliografia|referências|参考文献|參考文獻|引用文献|참고문헌|литература"
)
_HEADING = re.compile(rf"(?:[\divx]{{1,4}}[.)]?\s)?(?:{_NAMES})[.:]?", re.IGNORECASE)
# How a heading may be marked that is not written as one: **References**
_MARKS = "#*_ \t="
_FOOTNOTE = re.compile(r"\[\^[^\]]{1,80}\]:")
_LABEL = re.compile(r"\s*(?:[-*+•]\s+)?(?:\\?\[(?:[\w+.-]{1,20})\\?\]:?|\(?\d{1,4}[.)](?!\d))\s+")
_BULLET = re.compile(r"\s*[-*+•]\s+")
_NUMBER_LABEL = re.compile(r"(?:^|(?<=\s))\\?\[(\d{1,4})\\?\]\s+(?=\S)")
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\(([^()\s]{0,300})\)")
_MARKUP = re.compile(r"[*`]|(?<!\w)_|_(?!\w)|\\(?=[\\`*_<>#|$\[\]{}+=~.-])")
_TAG = re.compile(r"<[^<>]{1,200}>")
_ANY_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")
_ENDS_REFERENCE = re.compile(r"[.\]\)]\s*$")

_DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>“”]{1,200}")
_URL = re.compile(r"https?://\S{1,500}")
_YEAR = re.compile(r"(?<![\d./–—-])((?:1[6-9]|20)\d\d)[a-z]?(?![\d/]|[.:–—-]\d)")
_YEAR_AFTER_AUTHORS = re.compile(r"[(.,]\s?((?:1[6-9]|20)\d\d)[a-z]?(?:,\s[A-Z][a-z]{2,8}(?:\s\d{1,2})?)?\)?[.,:]\s+")
_QUOTED = re.compile(r"[“\"„«]([^“”\"„«»]{8,400}?)[,.?!]?[”\"“»]")
# Of a reference: authors, title and venue are no sentences.
_PART_END = re.compile(rf"[.?!]['’”\"]?\s+(?=[\"“‘(\[A-Z0-9À-ÞĀ-ſ{CJK}]|arXiv|$)|[.?!]['’”\"]?$|。|\[[A-Z](?:/OL)?\]")
_INITIAL = re.compile(r"(?:^|[\s.(])[A-Z]{1,3}$|-[A-Z]$|(?:^|\s)(?:Jr|Sr|St|vol|no|pp|ed|eds|Proc|Int|Conf|vs)$")
_AUTHORS_AND_COLON = re.compile(r"[^:()]{2,300}?[\s.][A-Z]{1,3}\.?:\s+")
_IN_NAMES = {"and", "et", "von", "van", "de", "der", "und", "y"}
_TITLE_WORDS = 2


class ReferenceWord(Struct, frozen=True):
    """A word of a reference in lower case without accents, and its place."""

    text: str
    start: int
    end: int


class Reference(Struct, frozen=True, dict=True):
    """One entry of a list of references. `title` is what a reader of its style would take for it, if that is clear."""

    text: str
    title: str | None
    year: int | None
    doi: str | None
    arxiv: str | None

    @cached_property
    def words(self) -> tuple[ReferenceWord, ...]:
        return tuple(
            ReferenceWord(folded_word(match[0]), match.start(), match.end()) for match in WORD.finditer(self.text)
        )

    @cached_property
    def years(self) -> frozenset[int]:
        """Every number that may be its year: not those in addresses and identifiers."""
        return frozenset(int(match[1]) for match in _YEAR.finditer(_without_addresses(self.text)))

    def between(self, place: int) -> str:
        """What stands before a word: between it and the one before, or the beginning."""
        start = self.words[place - 1].end if place else 0
        end = self.words[place].start if place < len(self.words) else len(self.text)
        return self.text[start:end]


def references_in(markdown: str) -> tuple[Reference, ...]:
    """The references at the end of a text, in its order; none if it has no such section."""
    return tuple(read_reference(text) for text in reference_texts(markdown))


def reference_texts(markdown: str) -> list[str]:
    """The references as plain text on a line each, without their numbers."""
    text = markdown[: limits.PASSAGE_TEXT_CHARS]
    found: list[str] = []
    for block in _section(text):
        for part in _parts(text[block.start : block.end]):
            begins = _LABEL.match(part) or _BULLET.match(part)
            # Else it may be the rest of the one before, which a page break or a column cut off.
            if begins or not found or not (_LABEL.match(found[0]) or part.lstrip()[:1].islower()):
                found.append(part)
            elif len(found[-1]) < limits.REFERENCE_CHARS:
                found[-1] = f"{found[-1]} {part}"
    texts = (_plain(part) for part in found)
    return [text for text in texts if any(map(str.isalpha, text))][: limits.REFERENCES]


def is_references_heading(heading: str) -> bool:
    return _HEADING.fullmatch(heading.strip(_MARKS)) is not None


def _section(text: str) -> list[Block]:
    """The blocks below the last heading that says references, up to the next heading of its level."""
    found = list(blocks(text))
    headings = [place for place, block in enumerate(found) if _is_heading(text, block)]
    if not headings:
        return []
    start = headings[-1]
    level = found[start].level or 6
    end = next(
        (n for n in range(start + 1, len(found)) if found[n].kind == "heading" and found[n].level <= level), len(found)
    )
    return [block for block in found[start + 1 : end] if block.kind in ("text", "item")]


def _is_heading(text: str, block: Block) -> bool:
    if block.kind not in ("heading", "text") or block.end - block.start > 60:
        return False
    written = text[block.start : block.end].strip()
    named = is_references_heading(written)
    # A paragraph that is one word long, and emphasised or in capitals.
    return named and (block.kind == "heading" or written.isupper() or written[0] in "*_")


def _parts(block: str) -> Iterator[str]:
    """The references of a paragraph: those that are numbered within it, its lines if each is one, else all of it."""
    if _FOOTNOTE.match(block.lstrip()):
        return
    lines = [line for line in block.splitlines() if line.strip()]
    labels = [match.start() for match in _NUMBER_LABEL.finditer(block)]
    if len(labels) > 1:
        starts = [0, *labels[1:]] if labels[0] < 4 else [0, *labels]
        yield from (block[start:end] for start, end in zip(starts, [*starts[1:], len(block)], strict=True))
        return
    labelled = sum(1 for line in lines if _LABEL.match(line)) > 0.8 * len(lines)
    if labelled or all(_ANY_YEAR.search(line) and _ENDS_REFERENCE.search(line) for line in lines):
        yield from lines
    else:
        yield " ".join(lines)


def _plain(part: str) -> str:
    """Without its label and markup; the address of a link stays if it is not what is shown."""
    label = _LABEL.match(part) or _BULLET.match(part)
    text = part[label.end() :] if label else part
    shown = _LINK.sub(lambda link: link[1] if link[2] in link[1] else f"{link[1]} {link[2]}", text[:4_000])
    bare = _MARKUP.sub("", _TAG.sub(lambda tag: tag[0][1:-1] if "://" in tag[0] else " ", shown))
    return one_line(bare)[: limits.REFERENCE_CHARS]


def read_reference(text: str) -> Reference:
    text = unicodedata.normalize("NFC", text)
    found = _DOI.search(text)
    name = found[0] if found else ""
    # A bracket that closes what was opened before the DOI is no part of it.
    while name.endswith((")", "]", ".", ",", ";")) and not (name.endswith(")") and name.count("(") >= name.count(")")):
        name = name[:-1]
    doi = canonical_doi(name)
    plain = _without_addresses(text)
    in_brackets = re.search(r"\(((?:1[6-9]|20)\d\d)[a-z]?[),]", plain)
    years = [int(match[1]) for match in _YEAR.finditer(plain)]
    year = int(in_brackets[1]) if in_brackets else years[-1] if years else None
    return Reference(text, _title(plain), year, doi, arxiv_mentioned_in(text) or arxiv_of_doi(doi))


def _without_addresses(text: str) -> str:
    return _DOI.sub(" ", _URL.sub(" ", text))


def _title(text: str) -> str | None:
    """What is quoted, or follows the year or the colon after the authors; else the second sentence."""
    if quoted := _QUOTED.search(text):
        return _if_title(quoted[1])
    dated = _YEAR_AFTER_AUTHORS.search(text)
    # An early year follows the authors; a late one ends the reference.
    if dated and dated.end() < 0.6 * len(text):
        return _if_title(_until_sentence_end(text, dated.end()))
    if authors := _AUTHORS_AND_COLON.match(text):
        return _if_title(_until_sentence_end(text, authors.end()))
    start = None
    for stop in _PART_END.finditer(text):
        if _is_abbreviation(text, stop) and (start is not None or not _begins_title(text, stop)):
            continue
        if start is not None:
            return _if_title(text[start : stop.start()])
        start = stop.end()
    return None


def _is_abbreviation(text: str, stop: re.Match[str]) -> bool:
    before, after = text[max(0, stop.start() - 8) : stop.start()], text[stop.end() : stop.end() + 1]
    return stop[0][0] == "." and not after.isdigit() and _INITIAL.search(before) is not None


def _begins_title(text: str, stop: re.Match[str]) -> bool:
    """After the last initial of the authors: a lower-case word follows the first one, as in `Smith J. The sky is`."""
    word = WORD.search(text, stop.end())
    if not word or not word[0][:1].isupper() or text[stop.start() - 1 : stop.start()].islower():
        return False
    after = WORD.search(text, word.end())
    return bool(after and after[0].islower() and after[0] not in _IN_NAMES)


def _until_sentence_end(text: str, start: int) -> str:
    for match in _PART_END.finditer(text, start):
        if not _is_abbreviation(text, match):
            return text[start : match.start()] + (text[match.start()] if text[match.start()] == "?" else "")
    return text[start:]


def _if_title(text: str) -> str | None:
    title = text.strip(" .,;:\"“”'")
    letters = sum(1 for char in title if char.isalpha())
    enough = len(WORD.findall(title)) >= _TITLE_WORDS or (has_cjk(title) and len(title) > 3)
    return title if enough and letters > len(title) / 2 else None
