"""Finds the references section of a markdown text and cuts it into references."""

import re
from collections.abc import Iterator, Sequence

from papercore import limits
from papercore.passages.blocks import Block, blocks
from papercore.text import one_line

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
_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")
_ENDS_REFERENCE = re.compile(r"[.\]\)]\s*$")


def reference_texts(markdown: str) -> list[str]:
    """The references as plain text on a line each, without their numbers."""
    text = markdown[: limits.PASSAGE_TEXT_CHARS]
    found: list[str] = []
    for block in _section(text, list(blocks(text))):
        for part in _parts(text[block.start : block.end]):
            _add(found, part)
    texts = (_plain(part) for part in found)
    return [text for text in texts if any(map(str.isalpha, text))][: limits.REFERENCES]


def is_references_heading(heading: str) -> bool:
    return _HEADING.fullmatch(heading.strip(_MARKS)) is not None


def _section(text: str, found: Sequence[Block]) -> list[Block]:
    """The blocks below the last heading that says references, up to the next heading of its level."""
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
    if labelled or all(_YEAR.search(line) and _ENDS_REFERENCE.search(line) for line in lines):
        yield from lines
    else:
        yield " ".join(lines)


def _add(found: list[str], part: str) -> None:
    """A reference, or the rest of the one before it that a page break or a column cut off."""
    numbered = found and _LABEL.match(found[0]) is not None
    goes_on = not _BULLET.match(part) and (
        (numbered and not _LABEL.match(part)) or (found and part.lstrip()[:1].islower() and not _LABEL.match(part))
    )
    if goes_on and found:
        if len(found[-1]) < limits.REFERENCE_CHARS:
            found[-1] = f"{found[-1]} {part}"
    else:
        found.append(part)


def _plain(part: str) -> str:
    """Without its label and markup; the address of a link stays if it is not what is shown."""
    label = _LABEL.match(part) or _BULLET.match(part)
    text = part[label.end() :] if label else part
    shown = _LINK.sub(lambda link: link[1] if link[2] in link[1] else f"{link[1]} {link[2]}", text[:4_000])
    bare = _MARKUP.sub("", _TAG.sub(lambda tag: tag[0][1:-1] if "://" in tag[0] else " ", shown))
    return one_line(bare)[: limits.REFERENCE_CHARS]
