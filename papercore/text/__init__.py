"""Letters, words and sentences: scripts, splitting and stemming, stop words, cleaning and cutting."""

from papercore.text.bm25 import bm25_scores, rarity
from papercore.text.cleaning import clean_text, one_line, truncate, without_accents
from papercore.text.scripts import (
    CJK,
    CJK_AND_SIGNS,
    CJK_BLOCKS,
    CJK_BLOCKS_AND_FORMS,
    CJK_INDEXED,
    HANGUL,
    IDEOGRAPHS,
    KANA,
    cjk_language,
    has_cjk,
)
from papercore.text.sentences import sentence_spans, sentences
from papercore.text.stop_words import (
    FOREIGN_FUNCTION_WORDS,
    REQUEST_STOP_WORDS,
    REQUEST_WORDS,
    REQUIREMENT_STOP_WORDS,
    STOP_WORDS,
)
from papercore.text.words import (
    WORD,
    cjk_pairs,
    count_words,
    folded_word,
    folded_words,
    hyphenated_words,
    identifier_parts,
    stem,
    words_of,
)

__all__ = [
    "CJK",
    "CJK_AND_SIGNS",
    "CJK_BLOCKS",
    "CJK_BLOCKS_AND_FORMS",
    "CJK_INDEXED",
    "FOREIGN_FUNCTION_WORDS",
    "HANGUL",
    "IDEOGRAPHS",
    "KANA",
    "REQUEST_STOP_WORDS",
    "REQUEST_WORDS",
    "REQUIREMENT_STOP_WORDS",
    "STOP_WORDS",
    "WORD",
    "bm25_scores",
    "cjk_language",
    "cjk_pairs",
    "clean_text",
    "count_words",
    "folded_word",
    "folded_words",
    "has_cjk",
    "hyphenated_words",
    "identifier_parts",
    "one_line",
    "rarity",
    "sentence_spans",
    "sentences",
    "stem",
    "truncate",
    "without_accents",
    "words_of",
]
