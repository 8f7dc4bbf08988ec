"""Boolean queries in one common form, for the sources that take operators."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from paper_search.skills.text import words
from papercore import limits

_OPERATORS = ("AND", "OR", "NOT")
_TOKEN = re.compile(r'"[^"]*"|[()]|[^\s()"]+')


def quoted(phrase: str) -> str:
    """A word as it is, several in quotes; nothing in it can be an operator."""
    clean = " ".join(words(phrase))
    return f'"{clean}"' if " " in clean or clean.upper() in _OPERATORS else clean


def any_of(phrases: Iterable[str]) -> str:
    terms = list(dict.fromkeys(term for phrase in phrases if (term := quoted(phrase))))
    return terms[0] if len(terms) == 1 else f"({' OR '.join(terms)})" if terms else ""


def all_of(groups: Iterable[Sequence[str]], excluded: Iterable[str] = ()) -> str:
    """Every group must match by one of its phrases; no excluded word may. What would make it too long is left out."""
    text = ""
    for group in groups:
        text = _joined(text, " AND ", any_of(group))
    for word in excluded:
        text = _joined(text, " NOT ", quoted(word)) if text else ""
    return text


def _joined(text: str, operator: str, term: str) -> str:
    longer = f"{text}{operator}{term}" if text and term else text or term
    return longer if len(longer) <= limits.BOOLEAN_CHARS else text


def tokens(query: str) -> list[str]:
    return _TOKEN.findall(query)


def excluded_terms(query: str) -> list[str]:
    """The words after NOT."""
    return [after.strip('"') for before, after in pairwise(tokens(query)) if before == "NOT"]


def with_prefix(query: str, prefix: str) -> str:
    """Each term with a field's name before it, in arXiv's syntax."""
    marked = (part if part in (*_OPERATORS, "(", ")") else prefix + part for part in tokens(query))
    return " ".join(marked).replace("( ", "(").replace(" )", ")").replace(" NOT ", " ANDNOT ")
