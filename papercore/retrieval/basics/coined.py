"""The names that a document gives to what it introduces, as in `BERT: Pre-training of ...`."""

import re
from collections.abc import Iterator

from papercore.retrieval.basics import analysis

# Before what the text says, which is less sure than a title, and before the first letters of the title's words.
IN_TEXT, INITIALS = "~", "^"
# Words of a title whose first letters may be its short name, from one of its first words on.
INITIAL_WORDS, FIRST_WORDS = range(3, 6), 8
# Words of a name before or after the colon of a title.
BEFORE_COLON, AFTER_COLON = 5, 3
# How much of a text is read: what a paper introduces is said at its beginning.
TEXT_CHARS = 3_000
_COLON = re.compile(r":\s|\s[-\N{EN DASH}\N{EM DASH}]\s")
_OPENING = re.compile(r"^(?:(?:an )?(?:introduction|overview|findings)\s(?:to|of)\s)?(?:(?:the|an?)\s)?", re.IGNORECASE)
_BRACKETS = re.compile(r"\(([^()\s]{2,25})\)")
# An acronym or a name with capitals or digits inside.
_NAME = r"[A-Za-z][\w+-]{0,24}[A-Z0-9+][\w+-]{0,24}"
_INTRODUCED = re.compile(
    r"\b(?:introduc|present|propos|releas|describ|develop|creat|buil[dt]|call|nam|dub|term)\w{0,6}\b"
    rf"(?:[^.()]{{0,40}}?[\s,]({_NAME})\b(?:\s?\(({_NAME})\))?|[^.()]{{0,120}}\(({_NAME})\))"
)


def coined_names(title: str, text: str) -> set[str]:
    """The names, as `analysis.name_key` writes them; those of the text are marked."""
    found = {key for name in _in_title(title) if (key := analysis.name_key(name))}
    in_text = {
        analysis.name_key(name) for match in _INTRODUCED.finditer(text[:TEXT_CHARS]) for name in match.groups() if name
    }
    words = [word for word in analysis.name_terms(title) if not analysis.is_stop_word(word)][: FIRST_WORDS + 5]
    letters = "".join(word[0] for word in words)
    initials = {letters[at : at + count] for at in range(FIRST_WORDS) for count in INITIAL_WORDS}
    return (
        found
        | {f"{IN_TEXT}{key}" for key in in_text - found}
        | {f"{INITIALS}{key}" for key in initials if len(key) in INITIAL_WORDS}
    )


def _in_title(title: str) -> Iterator[str]:
    title = _OPENING.sub("", title)
    if colon := _COLON.search(title):
        before, after = title[: colon.start()], title[colon.end() :]
        if len(before.split()) <= BEFORE_COLON:
            yield before
        if len(after.split()) <= AFTER_COLON:
            yield after
    yield from _BRACKETS.findall(title)
