"""A strict boolean query, and looser ones to fall back on step by step while too few papers are found."""

from paper_search.models import SearchQuery
from paper_search.queries import positive_terms, tokens

# Fewer hits than this are too few to choose from.
ENOUGH = 10


def steps(query: SearchQuery) -> list[SearchQuery]:
    """The query itself; phrases as single words; its first two parts only; any of its parts. Each once."""
    if query.strict:
        return [query]
    groups, excluded = _groups(query.boolean_query)
    loose = [_without_phrases(group) for group in groups]
    texts = [query.boolean_query, _joined(loose, " AND ", excluded)]
    if len(loose) > 2:
        texts.append(_joined(loose[:2], " AND ", excluded))
    if len(loose) > 1:
        texts.append(_joined([f"({' OR '.join(loose)})"], " AND ", excluded))
    return [query.model_copy(update={"boolean_query": text}) for text in dict.fromkeys(texts) if text]


def looser_words(query: SearchQuery) -> list[str]:
    """For sources without operators: the query's first two concepts, where it has more."""
    groups = [] if query.strict else _groups(query.boolean_query)[0]
    return [" ".join(positive_terms(group)[0] for group in groups[:2])] if len(groups) > 2 else []


def _groups(query: str) -> tuple[list[str], list[str]]:
    """The parts that are joined by AND outside brackets, and the terms after NOT."""
    groups: list[str] = []
    excluded: list[str] = []
    current: list[str] = []
    depth, negated = 0, False
    for part in tokens(query):
        if not depth and part in ("AND", "NOT"):
            _close(current, excluded if negated else groups)
            current, negated = [], part == "NOT"
            continue
        depth += (part == "(") - (part == ")" and depth > 0)
        current.append(part)
    _close(current, excluded if negated else groups)
    return groups, excluded


def _close(parts: list[str], into: list[str]) -> None:
    if parts:
        into.append(" ".join(parts).replace("( ", "(").replace(" )", ")"))


def _without_phrases(group: str) -> str:
    """Each phrase as words that must all occur, in any order."""
    parts = []
    for part in tokens(group):
        inside = part.strip('"').split()
        parts.append(f"({' AND '.join(inside)})" if part.startswith('"') and len(inside) > 1 else part)
    return " ".join(parts).replace("( ", "(").replace(" )", ")")


def _joined(groups: list[str], operator: str, excluded: list[str]) -> str:
    return operator.join(groups) + "".join(f" NOT {term}" for term in excluded) if groups else ""
