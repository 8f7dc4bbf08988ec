"""Whether a text can be read: undecoded fonts and letters torn apart give words of no language."""

import re
from collections.abc import Sequence

from papercore.text import FOREIGN_FUNCTION_WORDS, STOP_WORDS, folded_word, has_cjk

# Texts of fewer words tell too little of their language.
_LEAST_WORDS = 60
# Share of words that are function words: prose has a third, tables and formulas a tenth, ciphers none.
_COMMON = 0.04
# Share of letters that are vowels: at least a quarter in every language written with Latin letters.
_VOWELS = 0.24
# Share of pieces that are words of letters alone.
_WHOLE = 0.55
# Share of words that are one letter long, from which a text is torn.
_TORN = 0.45
_PIECE = re.compile(r"\S+")
_WORD = re.compile(r"[(\[“‘\"']*([^\W\d_]+(?:[-'’][^\W\d_]+)*)[)\]”’\"'.,;:!?]*")


def is_legible(texts: Sequence[str]) -> bool:
    """Whether this is a text of some language. One too short to tell, or without Latin letters, is taken for one."""
    whole = " ".join(texts)
    pieces = [piece for piece in _PIECE.findall(whole) if any(map(str.isalpha, piece))]
    if len(pieces) < _LEAST_WORDS or has_cjk(whole) or not _is_latin(whole):
        return True
    words = [match[1] for piece in pieces if (match := _WORD.fullmatch(piece))]
    if sum(len(word) == 1 for word in words) > _TORN * len(pieces):
        return False
    common = sum(folded_word(word) in STOP_WORDS or folded_word(word) in FOREIGN_FUNCTION_WORDS for word in words)
    if common >= _COMMON * len(pieces):
        return True
    letters = [char for char in whole.lower() if char.isalpha()]
    vowels = sum(char in "aeiouyäöüéèàâêîôûáíóúåæøãõı" for char in letters)
    return vowels >= _VOWELS * len(letters) and len(words) >= _WHOLE * len(pieces)


def _is_latin(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return sum(ord(char) < 0x250 for char in letters) > 0.5 * len(letters)
