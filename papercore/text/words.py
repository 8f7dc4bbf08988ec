"""Letters, words and sentences: scripts, cleaning and cutting, splitting, stemming, and how much a word counts."""

import re
import threading
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import log

import snowballstemmer

from papercore.text.stop_words import FOREIGN_FUNCTION_WORDS, STOP_WORDS

# Ranges for a character class in a regular expression.
KANA = "\u3040-\u30ff"
HANGUL = "\uac00-\ud7a3"
IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff"
# Scripts written without blanks between words. ingest puts blanks between these characters in paper_fts.
CJK = KANA + IDEOGRAPHS + HANGUL
# Specs also count the signs that are read as part of a word (々, 〆, 〇). Their stored index holds terms made by it.
CJK_AND_SIGNS = "\u3005-\u303f" + CJK
# What the search index cuts into pairs: letters alone, and rare ideographs. It is stored in every index: a change
# needs a new `retrieval.folder.VERSION`.
CJK_INDEXED = (
    "\u3005\u3041-\u3096\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_BLOCKS = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
# What is put apart in a query on paper_fts: whole blocks, because other builders of the format put blanks around
# every character of them.
CJK_BLOCKS = _BLOCKS + "\uff66-\uff9f"
# Beside these, such a blank is removed before the text is shown: the blocks, and full-width punctuation.
CJK_BLOCKS_AND_FORMS = _BLOCKS + "\uff00-\uffef"

_CJK_CHARACTER = re.compile(f"[{CJK}]")
# Letters and digits of any script.
WORD = re.compile(r"[^\W_]+")
_WORD_OR_CJK_RUN = re.compile(rf"[{CJK}]+|(?:(?![{CJK}])[^\W_])+")
_WORD_OR_CJK_CHARACTER = re.compile(rf"[{CJK}]|[^\s{CJK}]+")
_HYPHENATED = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
# Between parts of an identifier: fooBar, HTTPServer, utf8.
_SEAM = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)")

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

# BM25's usual constants: how soon repeating a word stops counting, and how much the length of a text counts against it.
SATURATION, LENGTH_SHARE = 1.2, 0.75

# Control characters other than tab and line feed, and lone surrogates, which no database accepts.
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_UNWANTED_IN_LINE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")
_BLANKS = re.compile(r"\s+")


# Letters that Unicode does not decompose into a base letter and a mark.
LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
)


class _WithoutMarks(dict[int, int | None]):
    """What each character becomes, filled as they are met: combining marks nothing, the others themselves."""

    def __missing__(self, code: int) -> int | None:
        kept = None if unicodedata.combining(chr(code)) else code
        self[code] = kept
        return kept


_WITHOUT_MARKS = _WithoutMarks()


def without_accents(text: str) -> str:
    """The text in compatibility form, its combining marks removed."""
    return unicodedata.normalize("NFKD", text).translate(_WITHOUT_MARKS)


def clean_text(text: str) -> str:
    """Text of several lines, with uniform line ends and without control characters."""
    if text.isprintable():
        return text.strip()
    return _UNWANTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def one_line(text: str) -> str:
    """Collapse all white space, and drop control characters and lone surrogates."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return _BLANKS.sub(" ", _UNWANTED_IN_LINE.sub("", text)).strip()


def truncate(text: str, max_chars: int) -> str:
    """The text, or its first characters and a marker that says how much is left."""
    left = len(text) - max_chars
    return text if left <= 0 else f"{text[:max_chars]}\n\n[truncated: {left:,} more characters]"


def has_cjk(text: str) -> bool:
    return _CJK_CHARACTER.search(text) is not None


def cjk_language(text: str) -> str:
    """The language tag of text in Chinese, Japanese or Korean; empty for all others."""
    if re.search(f"[{KANA}]", text):
        return "ja"
    if re.search(f"[{HANGUL}]", text):
        return "ko"
    return "zh" if re.search(f"[{IDEOGRAPHS}]", text) else ""


def is_english(text: str) -> bool:
    """Whether a question may be in English; a few bare terms are taken to be."""
    letters = [letter for letter in text if letter.isalpha()]
    latin = sum(letter < "\u0250" for letter in letters)
    if latin < len(letters) / 2:
        return False
    words = folded_words(text)
    foreign = sum(word in FOREIGN_FUNCTION_WORDS for word in words)
    return foreign <= sum(word in STOP_WORDS and word not in FOREIGN_FUNCTION_WORDS for word in words)


def words_of(text: str) -> list[str]:
    """The words of a text as written; a run of Chinese, Japanese or Korean is one."""
    return _WORD_OR_CJK_RUN.findall(text)


def folded_words(text: str) -> list[str]:
    """The words of a text in lower case without accents, for comparing titles and names."""
    return [folded_word(word) for word in WORD.findall(unicodedata.normalize("NFC", text))]


def folded_word(word: str) -> str:
    return word.lower() if word.isascii() else without_accents(word).lower()


def hyphenated_words(text: str) -> list[str]:
    """The words of a request in lower case; those with a hyphen or an apostrophe stay whole."""
    return _HYPHENATED.findall(unicodedata.normalize("NFKC", text).lower())


def identifier_parts(run: str) -> list[str]:
    """The words that an identifier is made of: fooBar has two, and so has foo_bar."""
    return [part for name in run.split("_") for part in _SEAM.split(name) if part]


def cjk_pairs(run: str) -> list[str]:
    """The overlapping pairs of a run of characters; a single one is its own."""
    return [run[place : place + 2] for place in range(len(run) - 1)] or [run]


def count_words(text: str) -> int:
    """How long a text is to read: a character of Chinese, Japanese or Korean counts as a word."""
    return len(_WORD_OR_CJK_CHARACTER.findall(text))


class _Stemmer(threading.local):
    """A stemmer keeps the word it works on in itself, so each thread has its own."""

    def __init__(self) -> None:
        self.english = snowballstemmer.stemmer("english")


_stemmer = _Stemmer()


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The English stem of a word in lower case."""
    return str(_stemmer.english.stemWord(word))


def sentences(text: str) -> list[str]:
    """The sentences of a text; none goes on into the next paragraph."""
    paragraphs = (part.strip() for part in _PARAGRAPH_END.split(text))
    return [part[start:end] for part in paragraphs for start, end in sentence_spans(part, 0, len(part))]


def sentence_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences between two places of a text, without the blanks between them, in linear time."""
    at = start
    for match in _END.finditer(text, start, end):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start() + 1]
        # A sentence goes on after a full stop before a small letter, and after an abbreviation.
        if match.end() == end or (match[0][0] == "." and (text[match.end()].islower() or _ABBREVIATION.search(before))):
            continue
        yield at, match.start() + len(match[0].rstrip())
        at = match.end()
    if at < end:
        yield at, end


def rarity(documents_with: int, documents: int) -> float:
    """The weight of a word that so many of the documents have."""
    return log(1 + (documents - documents_with + 0.5) / (documents_with + 0.5))


def bm25_scores(
    counts: Sequence[Mapping[str, float]],
    weights: Mapping[str, float],
    saturation: float = SATURATION,
    length_share: float = LENGTH_SHARE,
) -> list[float]:
    """A BM25 score for each text: rare words count more, repeated ones ever less.

    `counts` says how often each text has which word, `weights` has the words asked for.
    """
    lengths = [max(1.0, sum(words.values())) for words in counts]
    mean = sum(lengths) / (len(lengths) or 1)
    scores = []
    for words, length in zip(counts, lengths, strict=True):
        norm = saturation * (1 - length_share + length_share * length / mean)
        found = ((weight, words[term]) for term, weight in weights.items() if term in words)
        scores.append(sum(weight * count / (count + norm) for weight, count in found))
    return scores
