"""Boolean queries in one common form, for the sources that take operators."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from paper_search.models import SearchQuery
from paper_search.skills.question.concepts import concepts
from paper_search.text import stems, words
from papercore import limits

# Nobody nests brackets deeper; one beyond is skipped.
MAX_DEPTH = 20
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


def also(query: str, phrases: Iterable[str]) -> str:
    """The query, with all of the phrases required as well."""
    depth, alternatives = 0, False
    for part in tokens(query):
        depth += (part == "(") - (part == ")")
        alternatives |= part == "OR" and depth <= 0
    text = f"({query})" if alternatives else query
    for phrase in phrases:
        text = _joined(text, " AND ", quoted(phrase))
    return text


def tokens(query: str) -> list[str]:
    return _TOKEN.findall(query)


def excluded_terms(query: str) -> list[str]:
    """The words after NOT."""
    return [after.strip('"') for before, after in pairwise(tokens(query)) if before == "NOT"]


def positive_terms(query: str) -> list[str]:
    """The words and phrases that are asked for, not those after NOT."""
    pairs = zip(["", *tokens(query)], tokens(query), strict=False)
    terms = (part.strip('"') for before, part in pairs if part not in (*_OPERATORS, "(", ")") and before != "NOT")
    return list(dict.fromkeys(term for term in terms if term))


def boolean_of(query: SearchQuery) -> str:
    """The boolean query of a query's keywords and synonyms."""
    known = {item.keyword: item.synonyms for item in query.synonym_map}
    phrases = [*dict.fromkeys((*(item for word in query.keywords for item in concepts(word)), *known))]
    return all_of([[phrase, *known.get(phrase, [])] for phrase in phrases], excluded_terms(query.boolean_query))


def satisfies(query: str, text: str) -> bool:
    """Whether a text has what a boolean query asks for; words match by their stems, in any order."""
    evaluation = _Evaluation(tokens(query), set(stems(text)))
    held = evaluation.any_of()
    while evaluation.skip_bracket():
        held = evaluation.any_of() and held
    return held


class _Evaluation:
    """Reads the tokens once from left to right; a bracket or operator out of place is skipped."""

    def __init__(self, parts: list[str], found: set[str]) -> None:
        self.parts = [*parts, ""]
        self.found = found
        self.place = 0
        self.depth = 0

    def any_of(self) -> bool:
        held = self._all_of()
        while self.parts[self.place] == "OR":
            self.place += 1
            if self.parts[self.place] not in ("", ")"):
                held = self._all_of() or held
        return held

    def skip_bracket(self) -> bool:
        """Whether there is more behind a bracket that closes nothing."""
        closes = self.parts[self.place] == ")"
        self.place += closes
        return closes

    def _all_of(self) -> bool:
        held = True
        while (part := self.parts[self.place]) not in ("", ")", "OR"):
            self.place += 1
            if part == "NOT":
                held = not self._term(self._next()) and held
            elif part != "AND":
                held = self._term(part) and held
        return held

    def _next(self) -> str:
        part = self.parts[self.place]
        self.place += part not in ("", ")")
        return part

    def _term(self, part: str) -> bool:
        if part != "(":
            return set(stems(part)) <= self.found
        if self.depth == MAX_DEPTH:
            return True
        self.depth += 1
        held = self.any_of()
        self.depth -= 1
        self.skip_bracket()
        return held


def with_prefix(query: str, prefix: str) -> str:
    """Each term with a field's name before it, in arXiv's syntax."""
    marked = (part if part in (*_OPERATORS, "(", ")") else prefix + part for part in tokens(query))
    return (
        " ".join(marked)
        .replace("( ", "(")
        .replace(" )", ")")
        .replace(" AND NOT ", " NOT ")
        .replace(" NOT ", " ANDNOT ")
    )
