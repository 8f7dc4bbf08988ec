"""Decisions as forms: the plan as fields to fill in, and the plan, decision and marks in a form that was sent."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from django.http import QueryDict
from msgspec import Struct

from paper_search.config import KNOWN_SOURCES, load_config
from paper_search.models import PaperTag, UserFeedback
from paper_search.plan import SearchPlan
from paper_search.workflow.checkpoints import Checkpoint, Decision, DecisionAction, StrategyPayload
from paper_search.workflow.errors import InvalidDecision
from paper_search.workflow.session_state import Mark
from papercore import limits
from papercore.tool import is_visible

MARKS: tuple[Mark, ...] = get_args(Mark)
# The fields of a plan that are lists of words.
WORD_FIELDS = {
    "authors": "By",
    "venues": "Published at",
    "not": "Without",
    "not_authors": "Not by",
    "prefer": "More like",
    "avoid": "Less like",
}
LANGUAGES = ("en", "de", "fr", "es", "zh", "ja", "ko", "ru", "pt", "it")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}")


class TypedPlan(Struct, frozen=True):
    """What somebody wrote into the fields of a plan, as text; a field that is None or missing stays as planned."""

    topic: str | None = None
    # One concept a line: its term and synonyms with commas.
    concepts: str | None = None
    sources: Sequence[str] | None = None
    # Empty means no limit.
    year_from: str | None = None
    year_to: str | None = None
    max_results: str | None = None
    language: str | None = None
    kinds: Sequence[str] | None = None
    words: Mapping[str, str] = {}


class Choice(Struct, frozen=True):
    """Something that can be ticked."""

    name: str
    label: str
    chosen: bool


class WordsField(Struct, frozen=True):
    """A list of words, to be edited as one line with commas."""

    name: str
    label: str
    value: str


class PlanForm(Struct, frozen=True):
    """The plan as fields to edit; `typed` is what a form held that was refused, to be shown again."""

    plan: SearchPlan
    typed: TypedPlan = TypedPlan()

    @property
    def topic(self) -> str:
        return self.plan.topic if self.typed.topic is None else self.typed.topic

    @property
    def concepts(self) -> str:
        if self.typed.concepts is not None:
            return self.typed.concepts
        return "\n".join(", ".join(concept) for concept in self.plan.concepts)

    @property
    def sources(self) -> list[Choice]:
        chosen = self.plan.sources if self.typed.sources is None else self.typed.sources
        configured = [source.name for source in load_config().enabled_sources()]
        offered = [source for source in KNOWN_SOURCES.values() if source.name in {*self.plan.sources, *configured}]
        return [Choice(source.name, source.label, source.name in (chosen or configured)) for source in offered]

    @property
    def kinds(self) -> list[Choice]:
        chosen = self.plan.kinds if self.typed.kinds is None else self.typed.kinds
        return [Choice(kind.value, kind.value.replace("_", " "), kind in chosen) for kind in PaperTag]

    @property
    def language(self) -> str:
        planned = self.plan.languages[0] if self.plan.languages else ""
        return planned if self.typed.language is None else self.typed.language

    @property
    def languages(self) -> list[str]:
        """The codes to choose from."""
        return list(dict.fromkeys((*LANGUAGES, *self.plan.languages)))

    @property
    def words(self) -> list[WordsField]:
        planned = self.plan.model_dump(mode="json", by_alias=True)
        return [
            WordsField(name, label, self.typed.words.get(name, ", ".join(planned[name])))
            for name, label in WORD_FIELDS.items()
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
        data = plan_fields(typed_plan(form)) if action is DecisionAction.edit else None
        return Decision(action=action, revised_data=data, note=note)
    if action is DecisionAction.reject and note is None:
        raise InvalidDecision("Write a note: it tells the next round what to look for.")
    only = action is DecisionAction.approve and bool(form.get("only_relevant"))
    follow = action is DecisionAction.edit and bool(form.get("follow_citations"))
    return Decision(action=action, revised_data=UserFeedback(only_relevant=only, follow_citations=follow), note=note)


def marks_of(form: QueryDict) -> dict[str, Mark | None]:
    """The mark of each paper that the form lists; None where it has none."""
    found: dict[str, Mark | None] = {}
    for name in form:
        number = name.removeprefix("paper-")
        if number != name and len(found) < limits.MARKS:
            chosen = form.get(f"verdict-{number}", "")
            found[str(form[name])] = next((mark for mark in MARKS if mark == chosen), None)
    return found


def typed_plan(form: QueryDict) -> TypedPlan:
    """What a page's form says about the plan."""
    return TypedPlan(
        topic=form.get("topic"),
        concepts=form.get("concepts"),
        sources=form.getlist("src") if "concepts" in form else None,
        year_from=form.get("from"),
        year_to=form.get("to"),
        max_results=form.get("max"),
        language=form.get("language"),
        kinds=form.getlist("kind") if "concepts" in form else None,
        words={name: text for name in WORD_FIELDS if (text := form.get(name)) is not None},
    )


def plan_fields(typed: TypedPlan) -> dict[str, object]:
    """The fields of a plan that were filled in. InvalidDecision names the one that is wrong."""
    read: tuple[tuple[str, str | Sequence[str] | None, Callable[[Any], object]], ...] = (
        ("topic", typed.topic, lambda text: _one_line(text)[: limits.KEYWORD_CHARS]),
        ("concepts", typed.concepts, _concepts),
        ("sources", typed.sources, _sources),
        ("year_from", typed.year_from, lambda text: _number(text, "From year", 0, limits.LAST_YEAR)),
        ("year_to", typed.year_to, lambda text: _number(text, "To year", 0, limits.LAST_YEAR)),
        ("max_results", typed.max_results or None, lambda text: _number(text, "At most", 1, limits.SEARCH_RESULTS)),
        ("languages", typed.language, _languages),
        ("kinds", typed.kinds, lambda kinds: [kind for kind in kinds if kind in list(PaperTag)]),
    )
    fields = {name: reader(value) for name, value, reader in read if value is not None}
    return fields | {name: _words(text, WORD_FIELDS[name]) for name, text in typed.words.items()}


def _sources(names: Sequence[str]) -> list[str]:
    sources = [name for name in names if name]
    if not sources:
        raise InvalidDecision("Sources: choose at least one.")
    if len(sources) > limits.STRATEGY_SOURCES or max(map(len, sources)) > limits.ID_CHARS:
        raise InvalidDecision("Sources: choose from the list.")
    return sources


def _languages(text: str) -> list[str]:
    code = text.strip().lower()
    if code and not _LANGUAGE.fullmatch(code):
        raise InvalidDecision("Language: choose from the list.")
    return [code] if code else []


def _concepts(text: str) -> list[list[str]]:
    """One a line, with its synonyms behind commas."""
    lines = [_words(line, "Concepts", limits.SYNONYMS + 1) for line in text.splitlines()]
    found = [line for line in lines if line]
    if len(found) > limits.QUERY_KEYWORDS:
        raise InvalidDecision(f"Concepts: write at most {limits.QUERY_KEYWORDS} lines.")
    return found


def _words(text: str, label: str, most: int = limits.FILTER_TERMS) -> list[str]:
    """Words that are separated by commas."""
    found = [word for part in text.split(",") if (word := _one_line(part))]
    if len(found) > most or any(len(word) > limits.SYNONYM_CHARS for word in found):
        raise InvalidDecision(f"{label}: write at most {most} words of at most {limits.SYNONYM_CHARS} characters.")
    return list(dict.fromkeys(found))


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
