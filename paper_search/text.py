"""Words and stems, as the rules and sources of a search see a text."""

import re
import unicodedata

from papercore.passages import cut
from papercore.text import REQUEST_STOP_WORDS, hyphenated_words, stem


def words(text: str) -> list[str]:
    """The words of a text in lower case; hyphenated ones stay together."""
    return hyphenated_words(text)


def content_words(text: str) -> list[str]:
    return [word for word in words(text) if word not in REQUEST_STOP_WORDS]


def stems(text: str) -> list[str]:
    """The stems of the content words; a hyphen parts two stems."""
    return [stem(part) for word in content_words(text) for part in word.split("-") if part]


def normal_title(title: str) -> str:
    """Letters and digits of a title, for comparing."""
    plain = unicodedata.normalize("NFKD", re.sub(r"<[^>]{1,20}>", "", title).lower())
    return "".join(char for char in plain if char.isalnum())


def best_passage(text: str, question: str) -> str:
    """The passage with most of the question's words, in whole sentences; of several, the first."""
    sought = set(stems(question))
    pieces = cut(text)
    passages = [pieces.quote(passage) for passage in pieces.passages]
    return max(passages, key=lambda passage: len(sought.intersection(stems(passage))), default="")
