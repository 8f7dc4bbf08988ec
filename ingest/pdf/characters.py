"""Characters of a PDF and how they make a text: spaces, ligatures, accents drawn apart, marks raised above the line."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

# In shares of the font size: a wider gap is a space between words, and between names that nothing else parts.
_SPACE = 0.15
# With a space in the file a narrower gap will do: an italic or an "f" reaches into it.
_STATED_SPACE = 0.06
_WIDE_SPACE = 0.75
# Capitals of a line that are set apart: how many are needed, and how much wider than theirs is a gap between words.
_LEAST_SPACED, _WIDER = 6, 1.5
# A raised character is smaller and stands higher than the line, by these shares of the line's size.
_RAISED_SIZE, _RAISED_BY = 0.88, 0.12
CAPITAL_HEIGHT = 0.7
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\x02": "-", "\xad": "-"}
)
# Accents that are characters of their own, as TeX's old fonts have them, and the ones that combine with a letter.
_ACCENTS = {
    "´": "\u0301",
    "`": "\u0300",
    "¨": "\u0308",
    "ˆ": "\u0302",
    "^": "\u0302",
    "˜": "\u0303",
    "~": "\u0303",
    "ˇ": "\u030c",
    "˘": "\u0306",
    "˚": "\u030a",
    "¯": "\u0304",
    "˙": "\u0307",
    "˝": "\u030b",
    "¸": "\u0327",
}
_DOTLESS = {"ı": "i", "ȷ": "j"}
# What stands in `parted` for raised marks, and for wide gaps.
PART, WIDE = "\x1f", "\x1e"


class Character(Struct, frozen=True):
    text: str
    left: float
    right: float
    baseline: float
    size: float
    bold: bool
    upright: bool
    is_drawn: bool = False
    after_space: bool = False


def with_sizes(characters: Iterable[Character]) -> list[Character]:
    """The characters; glyphs that are drawn, and tell their own height alone, with the size of the tallest beside
    them on the line."""
    sized: list[Character] = []
    start = 0
    for character in characters:
        first = sized[start] if start < len(sized) else None
        if not (first and character.is_drawn and abs(character.baseline - first.baseline) < 1):
            start = len(sized)
        elif character.size > first.size:
            sized[start:] = [replace(before, size=character.size) for before in sized[start:]]
        else:
            character = replace(character, size=first.size)
        sized.append(character)
    return sized


def with_accents(characters: Sequence[Character]) -> list[Character]:
    """The characters, each accent that was drawn apart put on the letter it stands over, wherever the file has it."""
    if not any(character.text in _ACCENTS for character in characters):
        return list(characters)
    letters: dict[int, list[int]] = defaultdict(list)
    for place, character in enumerate(characters):
        if character.text.isalpha() and character.text not in _ACCENTS:
            letters[round(character.left / 10)].append(place)
    joined: list[Character | None] = list(characters)
    for place, accent in enumerate(characters):
        mark = _ACCENTS.get(accent.text)
        if mark is None:
            continue
        column = round((accent.left + accent.right) / 20)
        near = [spot for step in (-1, 0, 1) for spot in letters[column + step] if _covers(accent, characters[spot])]
        if near:
            spot = min(near, key=lambda spot: abs(spot - place))
            letter = joined[spot]
            if letter is not None:
                base = _DOTLESS.get(letter.text, letter.text)
                joined[spot] = replace(letter, text=unicodedata.normalize("NFC", base + mark))
                joined[place] = None
    return [character for character in joined if character is not None]


def _covers(accent: Character, letter: Character) -> bool:
    """Whether the accent stands over (or under) the letter and not beside it."""
    middle = (accent.left + accent.right) / 2
    on_line = -0.3 * letter.size < accent.baseline - letter.baseline < 0.5 * letter.size
    return on_line and letter.left - 0.5 <= middle <= letter.right + 0.5


def text_of(run: Sequence[Character]) -> str:
    """The text of characters on one line."""
    gaps = [(character.left - before.right) / character.size for before, character in pairwise(run)]
    is_space = [
        gap > (_STATED_SPACE if after.after_space else _SPACE) for gap, after in zip(gaps, run[1:], strict=True)
    ]
    if len(run) > _LEAST_SPACED and sum(is_space) > len(run) / 2 and _is_capitals(run):
        # Capitals set wide apart: the gaps between words are wider still.
        space = min(_WIDER * median(gaps), _WIDE_SPACE)
        is_space = [gap > space for gap in gaps]
    parts = [f" {after.text}" if space else after.text for space, after in zip([False, *is_space], run, strict=False)]
    return unicodedata.normalize("NFC", "".join(parts)).translate(_LIGATURES)


def _is_capitals(run: Sequence[Character]) -> bool:
    return all(character.text.isupper() or not character.text.isalnum() for character in run)


def parted(run: Sequence[Character]) -> str:
    """The same without raised marks, with PART in their place, and WIDE where a gap is wide."""
    typical = sorted(run, key=lambda character: character.size)[len(run) // 2]
    limit = (_RAISED_SIZE * typical.size, typical.baseline + _RAISED_BY * typical.size)
    texts: list[str] = []
    piece: list[Character] = []
    for character in run:
        is_raised = character.size < limit[0] and character.baseline > limit[1]
        is_wide = bool(piece) and character.left - piece[-1].right > _WIDE_SPACE * character.size
        if is_raised or is_wide:
            texts += [text_of(piece), PART if is_raised else WIDE]
            piece = []
        if not is_raised:
            piece.append(character)
    return "".join([*texts, text_of(piece)])
