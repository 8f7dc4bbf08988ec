"""The snapshot's full-text table: how text becomes FTS5 syntax, how hits are ranked, how its text is shown."""

import re
import unicodedata
from collections.abc import Iterable

from papercore.text import CJK_BLOCKS, CJK_BLOCKS_AND_FORMS, STOP_WORDS

# Terms of a query that are looked up in the snapshot's own tables; a question has fewer.
QUERY_TERMS = 32
# Weights of paper_id (not indexed), title, summary, source, translated, metadata.
RANK = "bm25(0.0, 5.0, 3.0, 1.0, 1.0, 2.0)"
_CJK_CHARACTER = re.compile(f"([{CJK_BLOCKS}])")
_CJK_BLANK = re.compile(f"(?<=[{CJK_BLOCKS_AND_FORMS}]) +(?=[{CJK_BLOCKS_AND_FORMS}])")
_PUNCTUATION = ".,;:!?()[]{}'"
_QUOTED = re.compile(r'"([^"]*)"')


def query_terms(query: str) -> list[str]:
    """The quoted phrases and the words of a query in lower case, each once; as many as a question has.

    Words that say nothing count only where there is nothing else.
    """
    text = unicodedata.normalize("NFC", query.replace("\0", " ")).lower()
    words = _QUOTED.sub(" ", text).replace('"', " ").split()
    # Nearly every paper has them, so any of them alone would match nearly every paper.
    telling = [word for word in words if word.strip(_PUNCTUATION) not in STOP_WORDS]
    phrases = _QUOTED.findall(text)
    terms = [*phrases, *(telling if telling or phrases else words)]
    return list(dict.fromkeys(term for term in terms if any(map(str.isalnum, term))))[:QUERY_TERMS]


def match_expression(terms: Iterable[str]) -> str:
    """FTS5 syntax that matches any of the terms. This is the one place where text becomes such syntax: each term is
    a quoted phrase, so nothing in it is an operator."""
    phrases = (" ".join(_CJK_CHARACTER.sub(r" \1 ", re.sub(r'["\0]', " ", term)).split()) for term in terms)
    return " OR ".join(f'"{phrase}"' for phrase in phrases if phrase)


def without_cjk_blanks(text: str) -> str:
    """The table's text as it was written: its builder put blanks between CJK characters."""
    return _CJK_BLANK.sub("", text)
