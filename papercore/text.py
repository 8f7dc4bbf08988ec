"""Letters, words and lengths: CJK ranges, stop words, stemming, folding, cleaning and cutting, shared by packages."""

import re
import threading
import unicodedata
from functools import lru_cache

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
# What is put apart in a query on paper_fts: whole blocks, because other builders of the format put blanks around
# every character of them.
CJK_BLOCKS = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
# Beside these, such a blank is removed before the text is shown: the blocks, and full-width punctuation.
CJK_BLOCKS_AND_FORMS = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"

_FUNCTION_WORDS = frozenset(
    """
    a about after against all also although am among an and any are as at be because been before being
    between both but by can could did do does doing during each either for from further had has have having
    how however i if in into is it its itself may me might more most must my near no nor not of off on once
    only onto or other our out over own per same she should since so some such than that the their them then
    there these they this those through to too toward towards under until up upon us very via was we were
    what when where whether which while who whom whose why will with within without would you your
    """.split()  # noqa: SIM905 - a list of 124 quoted words would be harder to read
)
# Words that say nothing about what a text is about. Every index is built without them: a change needs a new version.
STOP_WORDS = _FUNCTION_WORDS | frozenset(
    """
    above across again almost along already always another anyone anything around became below cannot done
    down due else etc even ever every few get give given he hence her here hers him his just let many much
    neither often one others perhaps quite rather therefore thus together yet
    """.split()  # noqa: SIM905 - as above
)
# Words that say nothing in a request for literature. Fewer: "few-shot" and "one-class" name what is asked for.
REQUEST_STOP_WORDS = _FUNCTION_WORDS | {"please", "shall", "use", "used", "using", "various"}

# Words that ask for papers, but do not say what about. "research" or "methods" may be the topic of a library.
REQUEST_WORDS = frozenset(
    """
    anything article articles concerned concerning currently deal dealing deals describe described describes describing
    discuss discussed discusses discussing discussion discussions don find interest interested interesting know like
    list looking paper papers particularly please publication publications remember want written
    """.split()  # noqa: SIM905 - as above
)

# Function words of German, French and Spanish, folded, without those that are English words ("die", "son", "sin").
# An index holds them, but in a question they say nothing.
FOREIGN_FUNCTION_WORDS = frozenset(
    """
    auf aus bei beim dem der des das ein eine einem einen einer ich ihre ist lange mein meine meinen mit muss nach nicht
    oder sich sind und vom von wann warum was welche welcher welches werden wie wird zu zum zur fur
    au aux avec ce ces cette chez comment dans de des du elle en est et il la le les leur ou quand que qui quoi sa sans
    ses sont sous sur un une
    al como cuando del donde el las los mas para por se su sus una unas unos y
    """.split()  # noqa: SIM905 - as above
)

# Control characters other than tab and line feed, and lone surrogates, which no database accepts.
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_UNWANTED_IN_LINE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")
_BLANKS = re.compile(r"\s+")
_WORDS = re.compile(rf"[{CJK}]+|(?:(?![{CJK}])[^\W_])+")
_stemmer = threading.local()


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The English stem of a word in lower case."""
    # A stemmer keeps the word it works on in itself, so each thread has its own.
    if not hasattr(_stemmer, "english"):
        # It brings the stemmers of all languages, which no start has to wait for.
        import snowballstemmer

        _stemmer.english = snowballstemmer.stemmer("english")
    return str(_stemmer.english.stemWord(word))


def words_of(text: str) -> list[str]:
    """The words of a text as written; a run of Chinese, Japanese or Korean is one."""
    return _WORDS.findall(text)


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


def cjk_language(text: str) -> str:
    """The language tag of text in Chinese, Japanese or Korean; empty for all others."""
    if re.search(f"[{KANA}]", text):
        return "ja"
    if re.search(f"[{HANGUL}]", text):
        return "ko"
    return "zh" if re.search(f"[{IDEOGRAPHS}]", text) else ""


def one_line(text: str) -> str:
    """Collapse all white space, and drop control characters and lone surrogates."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return _BLANKS.sub(" ", _UNWANTED_IN_LINE.sub("", text)).strip()


def truncate(text: str, max_chars: int) -> str:
    """The text, or its first characters and a marker that says how much is left."""
    left = len(text) - max_chars
    return text if left <= 0 else f"{text[:max_chars]}\n\n[truncated: {left:,} more characters]"
