"""Whether a text can be read: undecoded fonts and letters torn apart give words of no language."""

import re
from collections.abc import Sequence

from papercore.text import FOREIGN_FUNCTION_WORDS, STOP_WORDS, folded_word, has_cjk

# Texts of fewer words tell too little of their language.
_LEAST_WORDS = 60
# Function words of so many letters are no chance; they are a sixth of a text full of formulas, and none of a cipher.
_FUNCTION_WORDS = frozenset(word for word in STOP_WORDS | FOREIGN_FUNCTION_WORDS if len(word) > 2)
_COMMON = 0.02
# Languages that the list does not know: share of letters that are vowels, of pieces that are words of letters alone,
# and of those that are one letter.
_VOWELS = 0.24
_WHOLE = 0.7
_TORN = 0.2
_PIECE = re.compile(r"\S+")
_WORD = re.compile(r"[(\[“‘\"']*([^\W\d_]+(?:[-'’][^\W\d_]+)*)[)\]”’\"'.,;:!?]*")


def is_legible(texts: Sequence[str]) -> bool:
    """Whether this is a text of some language. One too short to tell, or without Latin letters, is taken for one."""
    whole = " ".join(texts)
    pieces = [piece for piece in _PIECE.findall(whole) if any(map(str.isalpha, piece))]
    letters = [char for char in whole.lower() if char.isalpha()]
    is_latin = sum(ord(char) < 0x250 for char in letters) > 0.5 * len(letters)
    if len(pieces) < _LEAST_WORDS or has_cjk(whole) or not is_latin:
        return True
    words = [match[1] for piece in pieces if (match := _WORD.fullmatch(piece))]
    if sum(folded_word(word) in _FUNCTION_WORDS for word in words) >= _COMMON * len(pieces):
        return True
    vowels = sum(char in "aeiouyäöüéèàâêîôûáíóúåæøãõı" for char in letters)
    torn = sum(len(word) == 1 for word in words)
    return vowels >= _VOWELS * len(letters) and len(words) >= _WHOLE * len(pieces) and torn < _TORN * len(pieces)
