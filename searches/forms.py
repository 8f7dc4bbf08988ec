"""Reads a decision from a submitted form."""

from django.http import QueryDict

from paper_search.models import SearchQuery, SearchStrategy, UserFeedback
from paper_search.skills.boolean import all_of, any_of
from paper_search.skills.question import concepts
from paper_search.workflow.checkpoints import (
    Checkpoint,
    Decision,
    DecisionAction,
    InvalidDecision,
    StrategyPayload,
)
from papercore import limits
from papercore.arguments import is_visible
from searches.page import WORD_FILTERS


def decision_of(form: QueryDict, checkpoint: Checkpoint) -> Decision:
    """What a person decided. InvalidDecision names the field that is wrong."""
    chosen = form.get("action", "")
    if chosen not in list(DecisionAction):
        raise InvalidDecision("Choose one: approve, edit or reject.")
    action = DecisionAction(chosen)
    text = form.get("note", "").strip().replace("\r\n", "\n")
    note = text if is_visible(text) else None
    if len(text) > limits.NOTE_CHARS:
        raise InvalidDecision(f"Note: write at most {limits.NOTE_CHARS} characters.")
    if isinstance(checkpoint.payload, StrategyPayload):
        data = _strategy(form, checkpoint.payload.strategy) if action is DecisionAction.edit else None
        return Decision(action=action, revised_data=data, note=note)
    if action is DecisionAction.reject and note is None:
        raise InvalidDecision("Write a note: it tells the next round what to look for.")
    return Decision(action=action, revised_data=_feedback(form), note=note)


def _strategy(form: QueryDict, planned: SearchStrategy) -> SearchStrategy:
    known = {" ".join(query.keywords): query for query in planned.queries}
    lines = [
        line for text in form.get("terms", "").splitlines() if (line := " ".join(text.split())) and is_visible(line)
    ]
    if not lines:
        raise InvalidDecision("Search terms: write at least one line.")
    if len(lines) > limits.STRATEGY_QUERIES or max(map(len, lines)) > limits.KEYWORD_CHARS:
        raise InvalidDecision(
            f"Search terms: write at most {limits.STRATEGY_QUERIES} lines of at most {limits.KEYWORD_CHARS} characters."
        )
    sources = [name for name in form.getlist("src") if name]
    if not sources:
        raise InvalidDecision("Sources: choose at least one.")
    if len(sources) > limits.STRATEGY_SOURCES or max(map(len, sources)) > limits.ID_CHARS:
        raise InvalidDecision("Sources: choose from the list.")
    return SearchStrategy(
        queries=[known.get(line) or _query(line) for line in lines],
        sources=sources,
        filters=planned.filters.model_copy(
            update={
                "year_from": _number(form, "from", "From year", 0, limits.LAST_YEAR),
                "year_to": _number(form, "to", "To year", 0, limits.LAST_YEAR),
                "max_results": _number(form, "max", "At most", 1, limits.SEARCH_RESULTS) or planned.filters.max_results,
                **{name: _words(form, name, label) for name, label in WORD_FILTERS.items() if name in form},
            }
        ),
    )


def _words(form: QueryDict, name: str, label: str) -> list[str]:
    """The words of a field, separated by commas."""
    found = [word for part in form.get(name, "").split(",") if (word := " ".join(part.split())) and is_visible(word)]
    if len(found) > limits.FILTER_TERMS or any(len(word) > limits.SYNONYM_CHARS for word in found):
        raise InvalidDecision(
            f"{label}: write at most {limits.FILTER_TERMS} words of at most {limits.SYNONYM_CHARS} characters."
        )
    return list(dict.fromkeys(found))


def _query(line: str) -> SearchQuery:
    return SearchQuery(keywords=[line], boolean_query=all_of([[phrase] for phrase in concepts(line)]) or any_of([line]))


def _number(form: QueryDict, name: str, label: str, lowest: int, highest: int) -> int | None:
    text = form.get(name, "").strip()
    if not text:
        return None
    if not text.isdecimal() or not lowest <= int(text[:9]) <= highest:
        raise InvalidDecision(f"{label}: write a number from {lowest} to {highest}.")
    return int(text)


def _feedback(form: QueryDict) -> UserFeedback:
    verdicts: dict[str, list[str]] = {"yes": [], "no": []}
    for name, value in form.items():
        number = name.removeprefix("verdict-")
        if number != name and str(value) in verdicts and (paper_id := form.get(f"paper-{number}")):
            verdicts[str(value)].append(paper_id)
    marks = [*verdicts["yes"], *verdicts["no"]]
    if len(marks) > limits.MARKS or any(len(paper_id) > limits.MARK_CHARS for paper_id in marks):
        raise InvalidDecision("Marks: mark the papers of the list, each once.")
    return UserFeedback(marked_relevant=verdicts["yes"], marked_irrelevant=verdicts["no"])
