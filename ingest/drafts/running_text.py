"""Reads drafts in Markdown and plain text, and the text of others: [@key], [12] and (Author, Year)."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ingest.drafts.manuscript import CollectedText
from papercore import limits
from papercore.bibliography.references import is_references_heading, reference_texts
from papercore.processes.children import Unanswerable
from papercore.text import folded_word, folded_words

# Code, comments and what is before the text: blanked, so that lines stay.
_NO_PROSE = re.compile(
    r"\A---\n[\s\S]{0,20000}?\n---\n|^```(?:(?!^```)[\s\S])*^```|<!--(?:(?!<!--)[\s\S]){0,5000}?-->", re.MULTILINE
)
# Where pandoc finds the entries: a name, a list in brackets, or one with dashes.
_FRONT = re.compile(r"\A---\n([\s\S]{0,20000}?)\n(?:---|\.\.\.)\n")
_BIBLIOGRAPHY = re.compile(r"^bibliography:((?:[^\n]{0,1000})(?:\n[ \t]{0,8}-[ \t][^\n]{1,500}){0,50})", re.MULTILINE)
_FILE = re.compile(r"[^\s,'\"\[\]]{1,300}\.bib\b")
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,2}(?=\w)|(?<=[\w.])_{1,2}(?!\w)")
_HEADING = re.compile(r"^#{1,6} {1,4}(\S.{0,300})$", re.MULTILINE)
# In code and formulas nothing is cited.
_CODE = r"(?P<code>(?P<ticks>`{1,3})(?!`)[^\n]{1,500}?(?<!`)(?P=ticks)(?!`)|\$(?=\S)[^$\n]{1,300}(?<=\S)\$(?!\d))"
_QUOTED_LINE = re.compile(r"^(?:> ?){1,5}", re.MULTILINE)
_KEYED = r"\[(?P<keys>[^][\n@]{0,100}@[^][\n]{1,300})\]|(?<![\w.@])@(?P<key>[A-Za-z][\w:.-]{0,80}\w)"
_NUMBERED = r"\[(?P<numbers>\d{1,3}(?: ?[,;–-] ?\d{1,3}){0,30})\]"
_DATED = (
    r"(?P<name>[A-ZÀ-Þ][\w'’-]{1,40})(?: (?:and|&) [A-ZÀ-Þ][\w'’-]{1,40}|,? et al\.?)?,? (?P<open>\()?"
    r"(?P<year>(?:19|20)\d\d)[a-z]?(?(open)\))"
)
_CITED = re.compile(f"{_CODE}|{_KEYED}|{_NUMBERED}|{_DATED}")
_KEY = re.compile(r"@([\w:.#$%&+?<>~/-]{0,100}\w)")
# pandoc-crossref's, which cite nothing.
_CROSS_REFERENCES = ("fig:", "tbl:", "eq:", "sec:", "lst:")
_RANGE = re.compile(r"(\d{1,3}) ?[–-] ?(\d{1,3})|(\d{1,3})")
# Words at the beginning of a reference among which its first authors are.
_AUTHOR_WORDS = 8


class TextChunk(Struct, frozen=True):
    """A piece of a draft's text: all of it, a page or a paragraph."""

    text: str
    place: int


def add_running_text(collected: CollectedText, chunks: Sequence[TextChunk]) -> None:
    """The words up to the list of references, which says what numbers and names mean."""
    front = _FRONT.match(chunks[0].text) if chunks and collected.place_kind == "line" else None
    if front and (named := _BIBLIOGRAPHY.search(front[1])):
        collected.bibliographies += _FILE.findall(named[1])
    for chunk in before_references(collected, chunks):
        _add_chunk(collected, chunk)


def before_references(collected: CollectedText, chunks: Sequence[TextChunk]) -> Iterator[TextChunk]:
    """The text without the list of references, which is kept."""
    if sum(len(chunk.text) for chunk in chunks) > limits.DRAFT_CHARS:
        raise Unanswerable(f"it has more than {limits.DRAFT_CHARS:,} characters")
    whole = "\n\n".join(chunk.text for chunk in chunks)
    lines = whole.split("\n")
    listed = next((n for n in range(len(lines) - 1, -1, -1) if is_references_heading(lines[n])), None)
    if listed is not None:
        found = reference_texts("# References\n\n" + "\n".join(lines[listed + 1 :]))
        collected.references = {str(number): text for number, text in enumerate(found, start=1)}
    left = len("\n".join(lines[:listed])) if collected.references else len(whole)
    for chunk in chunks:
        yield TextChunk(chunk.text[: max(0, left)], chunk.place)
        left -= len(chunk.text) + 2


def _add_chunk(collected: CollectedText, chunk: TextChunk) -> None:
    text = _QUOTED_LINE.sub("", _NO_PROSE.sub(lambda match: "\n" * match[0].count("\n"), chunk.text))
    at = 0
    for heading in _HEADING.finditer(text):
        add_prose(collected, text[at : heading.start()], _line(collected, chunk, text, at))
        collected.head(heading[1], _line(collected, chunk, text, heading.start()))
        at = heading.end()
    add_prose(collected, text[at:], _line(collected, chunk, text, at))
    collected.add("\n\n", _line(collected, chunk, text, len(text)))


def _line(collected: CollectedText, chunk: TextChunk, text: str, offset: int) -> int:
    return chunk.place + (text.count("\n", 0, offset) if collected.place_kind == "line" else 0)


def add_prose(collected: CollectedText, text: str, place: int) -> None:
    at, by_line = 0, collected.place_kind == "line"
    for match in _CITED.finditer(text):
        keys = tuple(dict.fromkeys(_keys(match, collected.references)))
        if not keys:
            continue
        before = text[at : match.start()]
        collected.add(_EMPHASIS.sub("", before), place)
        place += before.count("\n") if by_line else 0
        collected.cite(keys, f"[{'; '.join(keys)}]" if match["keys"] or match["key"] else match[0], place)
        at = match.end()
    collected.add(_EMPHASIS.sub("", text[at:]), place)


def _keys(match: re.Match[str], references: dict[str, str]) -> Iterator[str]:
    if match["keys"] or match["key"]:
        written = _KEY.findall(match["keys"]) if match["keys"] else [match["key"]]
        yield from (key for key in written if not key.startswith(_CROSS_REFERENCES))
    elif match["numbers"] and references:
        ranges = [(int(found[1] or found[3]), int(found[2] or found[3])) for found in _RANGE.finditer(match["numbers"])]
        # [0, 1] is an interval.
        for first, last in ranges if all(first > 0 for first, _ in ranges) else ():
            yield from map(str, range(first, min(last, first + 50) + 1))
    elif match["name"]:
        name, year = folded_word(match["name"]), match["year"]
        yield from (
            number for number, text in references.items() if year in text and name in folded_words(text)[:_AUTHOR_WORDS]
        )
