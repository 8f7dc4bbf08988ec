"""The language of queries: boolean ones in one common form, looser ones to fall back on, and other wordings."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from paper_search.models import SearchQuery
from paper_search.text import stems, words
from papercore import limits

# Nobody nests brackets deeper; one beyond is skipped.
MAX_DEPTH = 20
# Fewer hits than this are too few to choose from.
ENOUGH = 10
# Each wording is a request of its own, and so is each step from strict to loose.
MAX_WORDINGS = 3
MAX_STEPS = 4
# The weight of a match with a synonym: as good, but of two equal papers the one with the question's own words is first.
SYNONYM_WEIGHT = 0.97
OPERATORS = ("AND", "OR", "NOT")
_TOKEN = re.compile(r'"[^"]*"|[()]|[^\s()"]+')


def quoted(phrase: str) -> str:
    """A word as it is, several in quotes; nothing in it can be an operator."""
    clean = " ".join(words(phrase))
    return f'"{clean}"' if " " in clean or clean.upper() in OPERATORS else clean


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


def positive_terms(query: str) -> list[str]:
    """The words and phrases that are asked for, not those after NOT."""
    pairs = zip(["", *tokens(query)], tokens(query), strict=False)
    terms = (part.strip('"') for before, part in pairs if part not in (*OPERATORS, "(", ")") and before != "NOT")
    return list(dict.fromkeys(term for term in terms if term))


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
                excluded = self.parts[self.place]
                self.place += excluded not in ("", ")")
                held = not self._term(excluded) and held
            elif part != "AND":
                held = self._term(part) and held
        return held

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


def looser_queries(query: SearchQuery) -> list[SearchQuery]:
    """The query itself; phrases as single words; then without its last concept, the one before it, and so on.

    The first concept, the topic, is never dropped. Each text once.
    """
    if query.strict:
        return [query]
    groups, excluded = _groups(query.boolean_query)
    loose = []
    for group in groups:
        # Each phrase as words that must all occur, in any order.
        inside = [(part, part.strip('"').split()) for part in tokens(group)]
        loose.append(
            _text_of(f"({' AND '.join(terms)})" if '"' in part and len(terms) > 1 else part for part, terms in inside)
        )
    kept = range(len(loose), 0, -1)[:MAX_STEPS]
    texts = [query.boolean_query, *(" NOT ".join((" AND ".join(loose[:count]), *excluded)) for count in kept)]
    return [query.model_copy(update={"boolean_query": text}) for text in dict.fromkeys(texts) if text]


def looser_words(query: SearchQuery) -> list[str]:
    """For sources without operators: the query's first two concepts, where it has more; the first is the topic."""
    groups = [] if query.strict else _groups(query.boolean_query)[0]
    return [" ".join(positive_terms(group)[0] for group in groups[:2])] if len(groups) > 2 else []


def _groups(query: str) -> tuple[list[str], list[str]]:
    """The parts that are joined by AND outside brackets, and the terms after NOT."""
    parts: list[list[str]] = [["AND"]]
    depth = 0
    for part in tokens(query):
        if not depth and part in ("AND", "NOT"):
            parts.append([part])
            continue
        depth += (part == "(") - (part == ")" and depth > 0)
        parts[-1].append(part)
    found = [(operator, _text_of(rest)) for operator, *rest in parts if rest]
    return [text for operator, text in found if operator == "AND"], [
        text for operator, text in found if operator == "NOT"
    ]


def _text_of(parts: Iterable[str]) -> str:
    return " ".join(parts).replace("( ", "(").replace(" )", ")")


def wordings(query: SearchQuery) -> list[str]:
    """The query's own words first; then with the first synonym of each concept, with the second, and so on."""
    text = " ".join(query.keywords)
    found = [text]
    # A boolean query written by hand names its synonyms itself.
    for number in range(0 if query.strict else MAX_WORDINGS - 1):
        wording = text
        for item in query.synonym_map:
            if number < len(item.synonyms):
                wording = _with_synonym(wording, item.keyword, item.synonyms[number])
        found.append(wording)
    return list(dict.fromkeys(found))


def _with_synonym(text: str, keyword: str, synonym: str) -> str:
    """The synonym takes the keyword's place; beside the text, where the keyword is not in it."""
    spaced = r"\s+".join(map(re.escape, keyword.split()))
    replaced, count = re.subn(rf"(?<!\w){spaced}(?!\w)", lambda _: synonym, text, flags=re.I) if spaced else (text, 0)
    return replaced if count else f"{text} {synonym}"
