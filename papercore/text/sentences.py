"""Where sentences end, in Latin scripts and in Chinese and Japanese, in linear time."""

import re
from collections.abc import Iterator

# Closing marks stay with their sentence. A full stop of Chinese or Japanese needs no blank after it.
_END = re.compile(r"[.!?]['\"”’»)\]*_]{0,4}\s+|[。！？]['\"”’」』）)*_]{0,4}\s*")
# After these a full stop ends no sentence.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:[A-Za-z]|e\.g|i\.e|et al|al|cf|vs|etc|figs?|eqs?|refs?|secs?|tabs?|no|vol|pp?|ca|approx|resp"
    r"|dr|mr|mrs|ms|prof|st|ed|eds|viz|sp|spp|inc|dept|univ|max|min|avg)\.$",
    re.IGNORECASE,
)
_LOOK_BACK = 12
_PARAGRAPH_END = re.compile(r"\n{2,}")


def sentences(text: str) -> list[str]:
    """The sentences of a text; none goes on into the next paragraph."""
    paragraphs = (part.strip() for part in _PARAGRAPH_END.split(text))
    return [part[start:end] for part in paragraphs for start, end in sentence_spans(part, 0, len(part))]


def sentence_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences between two places of a text, without the blanks between them."""
    at = start
    for match in _END.finditer(text, start, end):
        if match.end() < end and not _goes_on(text, match):
            yield at, match.start() + len(match[0].rstrip())
            at = match.end()
    if at < end:
        yield at, end


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """Whether the sentence goes on after a full stop: before a small letter, and after an abbreviation."""
    if match[0][0] != ".":
        return False
    before = text[max(0, match.start() - _LOOK_BACK) : match.start() + 1]
    return text[match.end()].islower() or _ABBREVIATION.search(before) is not None
