"""Scripts written without blanks between words: their characters, and the languages they are used for."""

import re

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


def has_cjk(text: str) -> bool:
    return _CJK_CHARACTER.search(text) is not None


def cjk_language(text: str) -> str:
    """The language tag of text in Chinese, Japanese or Korean; empty for all others."""
    if re.search(f"[{KANA}]", text):
        return "ja"
    if re.search(f"[{HANGUL}]", text):
        return "ko"
    return "zh" if re.search(f"[{IDEOGRAPHS}]", text) else ""
