"""Turns text into terms, the same way for documents, queries and snippets."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import blake2b

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from papercore.text import CJK_INDEXED, STOP_WORDS, WORD, cjk_pairs

CJK_RUN = re.compile(f"[{CJK_INDEXED}]+")
# Longer terms are noise (encoded data, broken extraction) and only bloat the dictionary.
TERM_CHARS = 60


def _analyzer(tokenizer: Tokenizer, *filters: Filter) -> TextAnalyzer:
    builder = TextAnalyzerBuilder(tokenizer)
    for item in (Filter.lowercase(), Filter.ascii_fold(), *filters):
        builder = builder.filter(item)
    return builder.build()


# Prose: stemmed, without stop words. Names: as spelled. Values: the whole string is one term.
_STOPPED = Filter.custom_stopword(sorted(STOP_WORDS))
TEXT = _analyzer(Tokenizer.simple(), _STOPPED, Filter.remove_long(TERM_CHARS), Filter.stemmer("English"))
NAME = _analyzer(Tokenizer.simple(), Filter.remove_long(TERM_CHARS))
VALUE = _analyzer(Tokenizer.raw())
VERBATIM = TextAnalyzerBuilder(Tokenizer.raw()).build()
NO_TERM = _analyzer(Tokenizer.raw(), Filter.remove_long(0))


def clean(text: str) -> str:
    """Valid, composed Unicode: a decomposed accent would split its word."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8"))


def with_cjk_pairs(text: str) -> str:
    """A document's text with its CJK runs cut into pairs of characters.

    The last character follows alone, so that every character begins a term and can be found by itself.
    """
    return _in_pairs(text, lambda run: cjk_pairs(run) + [run[-1]] * (len(run) > 1))


def _in_pairs(text: str, split: Callable[[str], list[str]] = cjk_pairs) -> str:
    text = clean(text)
    return text if text.isascii() else CJK_RUN.sub(lambda run: f" {' '.join(split(run[0]))} ", text)


def text_terms(text: str) -> list[str]:
    """The terms of prose, as the index holds them."""
    return list(TEXT.analyze(_in_pairs(text)))


def placed_terms(text: str) -> list[tuple[int, str]]:
    """The terms of prose with their positions, in which stop words leave gaps."""
    return [(token.position, token.text) for token in TEXT.pre_tokenize(_in_pairs(text)).tokens]


def name_terms(text: str) -> list[str]:
    """The terms of a name, as the index holds them."""
    return list(NAME.analyze(_in_pairs(text)))


def name_key(name: str) -> str:
    """Equal for the spellings of a name that differ by case, accents, hyphens and blanks."""
    return "".join(name_terms(name))


def words(text: str) -> list[str]:
    """The words of a text as written, CJK runs as pairs: the units that have a vector."""
    return WORD.findall(_in_pairs(text))


def value_key(text: str) -> str:
    """A whole value, folded, blanks collapsed, for comparing filters and exact titles."""
    return str(next(iter(VALUE.analyze(" ".join(clean(text).split()))), ""))


def same_value_key(value: str) -> str:
    """Equal for two spellings of one value: case and blanks do not matter, accents do."""
    return " ".join(clean(value).lower().split())


@lru_cache(maxsize=200_000)
def term(word: str) -> str:
    """The index term of a word; empty if it has none."""
    return next(iter(TEXT.analyze(word)), "")


def without_stop_words(words: Iterable[str]) -> list[str]:
    return [word for word in words if word.lower() not in STOP_WORDS]


def is_stop_word(word: str) -> bool:
    return word.lower() in STOP_WORDS


def key_hash(text: str) -> int:
    """A hash of a text, whatever its case, accents and blanks; looked up instead of the text."""
    return int.from_bytes(blake2b(value_key(text).encode(), digest_size=8).digest(), "little")
