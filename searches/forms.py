"""Decisions as forms: what a form offers for a strategy, and the decision, marks and strategy in one that was sent."""

import re
from collections.abc import Mapping, Sequence
from typing import get_args

from django.http import QueryDict
from msgspec import Struct

from paper_search.config import KNOWN_SOURCES, load_config
from paper_search.models import SearchQuery, SearchStrategy, SynonymMap, UserFeedback
from paper_search.queries import all_of, any_of
from paper_search.skills.question.concepts import concepts
from paper_search.skills.question.reading import LANGUAGES
from paper_search.workflow.checkpoints import Checkpoint, Decision, DecisionAction, StrategyPayload
from paper_search.workflow.errors import InvalidDecision
from paper_search.workflow.session_state import Mark
from papercore import limits
from papercore.arguments import is_visible

MARKS: tuple[Mark, ...] = get_args(Mark)
# The filters of a strategy that are lists of words.
WORD_FILTERS = {
    "authors": "By",
    "venues": "Published at",
    "excluded": "Without",
    "more_like": "More like",
    "less_like": "Less like",
}
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}")


class TypedStrategy(Struct, frozen=True):
    """What somebody wrote into the fields of a strategy, as text; a field that is None or missing stays as planned."""

    terms: str | None = None
    sources: Sequence[str] = ()
    # Empty means no limit.
    year_from: str = ""
    year_to: str = ""
    max_results: str = ""
    language: str | None = None
    # By the names of the filters, and by the numbers of the queries.
    words: Mapping[str, str] = {}
    boolean_queries: Mapping[int, str] = {}
    synonyms: Mapping[int, str] = {}


class SourceChoice(Struct, frozen=True):
    """A source that can be ticked."""

    name: str
    label: str
    chosen: bool


class WordsField(Struct, frozen=True):
    """A filter of words, to be edited as one line with commas."""

    name: str
    label: str
    value: str


class QueryFields(Struct, frozen=True):
    """One query of a strategy, named by its number, with its boolean query and synonyms as text to edit."""

    number: int
    terms: str
    boolean: str
    synonyms: str


class StrategyForm(Struct, frozen=True):
    """The strategy as fields to edit; `edits` are those of a form that was refused, to be shown again."""

    strategy: SearchStrategy
    edits: TypedStrategy | None = None

    @property
    def queries(self) -> list[QueryFields]:
        edits = self.edits or TypedStrategy()
        fields = []
        for number, query in enumerate(self.strategy.queries, 1):
            synonyms = "\n".join(f"{group.keyword}: {', '.join(group.synonyms)}" for group in query.synonym_map)
            boolean = edits.boolean_queries.get(number, query.boolean_query)
            terms = " ".join(query.keywords)
            fields.append(QueryFields(number, terms, boolean, edits.synonyms.get(number, synonyms)))
        return fields

    @property
    def terms(self) -> str:
        if self.edits and self.edits.terms is not None:
            return self.edits.terms
        return "\n".join(fields.terms for fields in self.queries)

    @property
    def sources(self) -> list[SourceChoice]:
        chosen = self.edits.sources if self.edits else self.strategy.sources
        configured = [source.name for source in load_config().enabled_sources()]
        offered = [source for source in KNOWN_SOURCES.values() if source.name in {*self.strategy.sources, *configured}]
        return [SourceChoice(source.name, source.label, source.name in chosen) for source in offered]

    @property
    def language(self) -> str:
        typed = self.edits.language if self.edits else None
        return typed if typed is not None else self.strategy.filters.language or ""

    @property
    def languages(self) -> list[str]:
        """The codes to choose from."""
        planned = self.strategy.filters.language
        return [*LANGUAGES, *([planned] if planned and planned not in LANGUAGES else [])]

    @property
    def words(self) -> list[WordsField]:
        typed, filters = self.edits.words if self.edits else {}, self.strategy.filters
        return [
            WordsField(name, label, typed.get(name, ", ".join(getattr(filters, name))))
            for name, label in WORD_FILTERS.items()
        ]


def decision_of(form: QueryDict, checkpoint: Checkpoint) -> Decision:
    """What a person decided; marks are stored apart. InvalidDecision names the field that is wrong."""
    chosen = form.get("action", "")
    if chosen not in list(DecisionAction):
        raise InvalidDecision("Choose one: approve, edit or reject.")
    action = DecisionAction(chosen)
    text = form.get("note", "").strip().replace("\r\n", "\n")
    note = text if is_visible(text) else None
    if len(text) > limits.NOTE_CHARS:
        raise InvalidDecision(f"Note: write at most {limits.NOTE_CHARS} characters.")
    if isinstance(checkpoint.payload, StrategyPayload):
        edited = action is DecisionAction.edit
        data = edited_strategy(checkpoint.payload.strategy, edits_of(form)) if edited else None
        return Decision(action=action, revised_data=data, note=note)
    if action is DecisionAction.reject and note is None:
        raise InvalidDecision("Write a note: it tells the next round what to look for.")
    return Decision(action=action, revised_data=UserFeedback(), note=note)


def marks_of(form: QueryDict) -> dict[str, Mark | None]:
    """The mark of each paper that the form lists; None where it has none."""
    found: dict[str, Mark | None] = {}
    for name in form:
        number = name.removeprefix("paper-")
        if number != name and len(found) < limits.MARKS:
            chosen = form.get(f"verdict-{number}", "")
            found[str(form[name])] = next((mark for mark in MARKS if mark == chosen), None)
    return found


def edits_of(form: QueryDict) -> TypedStrategy:
    """What the page's form says about the strategy."""
    numbers = range(1, limits.STRATEGY_QUERIES + 1)
    return TypedStrategy(
        terms=form.get("terms"),
        sources=form.getlist("src"),
        year_from=form.get("from", ""),
        year_to=form.get("to", ""),
        max_results=form.get("max", ""),
        language=form.get("language"),
        words={name: text for name in WORD_FILTERS if (text := form.get(name)) is not None},
        boolean_queries={n: text for n in numbers if (text := form.get(f"boolean-{n}")) is not None},
        synonyms={n: text for n in numbers if (text := form.get(f"synonyms-{n}")) is not None},
    )


def edited_strategy(planned: SearchStrategy, edits: TypedStrategy) -> SearchStrategy:
    """The planned strategy with the edits. InvalidDecision names the field that is wrong."""
    lines = _lines(edits.terms or "")
    if not lines:
        raise InvalidDecision("Search terms: write at least one line.")
    if len(lines) > limits.STRATEGY_QUERIES or max(map(len, lines)) > limits.KEYWORD_CHARS:
        raise InvalidDecision(
            f"Search terms: write at most {limits.STRATEGY_QUERIES} lines of at most {limits.KEYWORD_CHARS} characters."
        )
    sources = [name for name in edits.sources if name]
    if not sources:
        raise InvalidDecision("Sources: choose at least one.")
    if len(sources) > limits.STRATEGY_SOURCES or max(map(len, sources)) > limits.ID_CHARS:
        raise InvalidDecision("Sources: choose from the list.")
    changes = {
        "year_from": _number(edits.year_from, "From year", 0, limits.LAST_YEAR),
        "year_to": _number(edits.year_to, "To year", 0, limits.LAST_YEAR),
        "max_results": _number(edits.max_results, "At most", 1, limits.SEARCH_RESULTS) or planned.filters.max_results,
        "language": planned.filters.language if edits.language is None else _language(edits.language),
        **{name: _words(text, WORD_FILTERS[name]) for name, text in edits.words.items()},
    }
    known = {" ".join(query.keywords): (number, query) for number, query in enumerate(planned.queries, 1)}
    return SearchStrategy(
        queries=[_edited_query(*known[line], edits) if line in known else _new_query(line) for line in lines],
        sources=sources,
        filters=planned.filters.model_copy(update=changes),
    )


def _edited_query(number: int, query: SearchQuery, edits: TypedStrategy) -> SearchQuery:
    """The planned query with what was written into its fields."""
    boolean = _one_line(edits.boolean_queries.get(number, "")) or query.boolean_query
    if len(boolean) > limits.BOOLEAN_CHARS:
        raise InvalidDecision(f"Boolean query: write at most {limits.BOOLEAN_CHARS} characters.")
    if number not in edits.synonyms:
        return query.model_copy(update={"boolean_query": boolean})
    # One line for each keyword: `keyword: synonym, synonym`.
    lines = _lines(edits.synonyms[number])
    if len(lines) > limits.QUERY_KEYWORDS:
        raise InvalidDecision(f"Synonyms: write at most {limits.QUERY_KEYWORDS} lines.")
    groups = []
    for line in lines:
        keyword, colon, rest = line.partition(":")
        words = _words(rest, "Synonyms")
        if not colon or not keyword.strip() or len(keyword) > limits.KEYWORD_CHARS or len(words) > limits.SYNONYMS:
            raise InvalidDecision(
                f"Synonyms: write a keyword, a colon and at most {limits.SYNONYMS} synonyms with commas."
            )
        groups.append(SynonymMap(keyword=keyword.strip(), synonyms=words))
    return query.model_copy(update={"boolean_query": boolean, "synonym_map": groups})


def _new_query(line: str) -> SearchQuery:
    return SearchQuery(keywords=[line], boolean_query=all_of([[phrase] for phrase in concepts(line)]) or any_of([line]))


def _language(text: str) -> str | None:
    code = text.strip()
    if code and not _LANGUAGE.fullmatch(code):
        raise InvalidDecision("Language: choose from the list.")
    return code.lower() or None


def _words(text: str, label: str) -> list[str]:
    """Words that are separated by commas."""
    found = [word for part in text.split(",") if (word := _one_line(part))]
    if len(found) > limits.FILTER_TERMS or any(len(word) > limits.SYNONYM_CHARS for word in found):
        raise InvalidDecision(
            f"{label}: write at most {limits.FILTER_TERMS} words of at most {limits.SYNONYM_CHARS} characters."
        )
    return list(dict.fromkeys(found))


def _lines(text: str) -> list[str]:
    return [line for typed in text.splitlines() if (line := _one_line(typed))]


def _one_line(text: str) -> str:
    """The text with single blanks; empty if nothing in it can be seen."""
    line = " ".join(text.split())
    return line if is_visible(line) else ""


def _number(text: str, label: str, lowest: int, highest: int) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not text.isdecimal() or not lowest <= int(text[:9]) <= highest:
        raise InvalidDecision(f"{label}: write a number from {lowest} to {highest}.")
    return int(text)
