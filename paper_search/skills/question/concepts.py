"""The phrases of a text that say what it is about."""

import re

from paper_search.skills.question.fillers import is_filler
from paper_search.text import words
from papercore import limits

MAX_CONCEPTS = 8
_QUOTED = re.compile(r"[\"“„]([^\"”“„]{2,80})[\"”“]")
_BETWEEN_CONCEPTS = re.compile(r"(?<![.,;:?!()\[\]/])[.,;:?!()\[\]/]++(?:\s|$)")
_CJK_CONCEPTS = re.compile(
    "的|和|与|與|及|以及|在|中|用于|基于|対する|における|に関する|を用いた|による|ための|と|の|を|に|、|，|,|\\s"
)


def concepts(text: str, language: str = "en") -> list[str]:
    """Quoted phrases, then the runs of words between words that say nothing about the topic."""
    quoted = [" ".join(words(phrase)) for phrase in _QUOTED.findall(text)]
    rest = _QUOTED.sub(" . ", text)
    if language in ("zh", "ja"):
        runs = [" ".join(words(part)) for part in _CJK_CONCEPTS.split(rest)]
    else:
        runs = [run for part in _BETWEEN_CONCEPTS.split(rest) for run in _runs(part, language)]
    unique = list(dict.fromkeys(phrase[: limits.KEYWORD_CHARS] for phrase in (*quoted, *runs) if phrase))
    return unique[:MAX_CONCEPTS]


def _runs(text: str, language: str) -> list[str]:
    runs: list[list[str]] = [[]]
    for word in words(text):
        plain = re.sub(r"^(?:l|d|qu|s|n)['’]", "", word) if language == "fr" else word
        if is_filler(plain, language):
            runs.append([])
        else:
            runs[-1].append(plain)
    return [" ".join(run) for run in runs if run]
