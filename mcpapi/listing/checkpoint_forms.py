"""Checkpoints of search sessions as forms in the client: what is shown, and the decision in what was filled in."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pydantic import BaseModel

from mcpapi.listing.short_schema import Schema
from mcpapi.listing.tool import Call, InputRequired, Interaction
from paper_search.models import SearchStrategy
from paper_search.workflow.checkpoints import DecisionAction, StrategyPayload
from paper_search.workflow.errors import InvalidDecision
from paper_search.workflow.session_state import PaperLine, ResultSummary, SessionState
from papercore import limits
from papercore.caller import calling, current
from papercore.errors import InvalidInput
from papercore.text import one_line
from searches import tools
from searches.forms import StrategyForm, TypedStrategy, edited_strategy

KEY = "decision"
# The lists of marks in the form of a review, by the marks they make.
_MARK_LISTS = {"relevant": "Relevant", "irrelevant": "Not relevant", "unsure": "Unsure"}
_TITLE_CHARS = 160


def asking(function: Callable[..., SessionState], *, only_if_waiting: bool = False) -> Interaction:
    """The tool that returns a pending checkpoint as a form, where the client has forms.

    `only_if_waiting`: only for calls with `wait_seconds`; others want to read.
    """

    def interact(call: Call) -> BaseModel | InputRequired:
        if "elicitation" not in call.capabilities:
            return function(**call.arguments)
        if call.state is not None:
            return _go_on(call.state, call.responses)
        state = function(**call.arguments)
        return state if only_if_waiting and not call.arguments.get("wait_seconds") else _asked(state)

    return interact


def _go_on(state: Schema, responses: Mapping[str, object]) -> BaseModel | InputRequired:
    """Decide as the form says; a form that was declined decides nothing, one that cannot be used is shown again."""
    session_id, checkpoint_id = str(state["session_id"]), str(state["checkpoint_id"])
    shown = tools.get_session(session_id)
    response = responses.get(KEY)
    if not isinstance(response, dict):
        return _asked(shown)
    if response.get("action") != "accept":
        return shown
    content = response.get("content")
    try:
        decision = _decision(shown, checkpoint_id, content if isinstance(content, dict) else {})
        with calling(replace(current(), kind="person")):
            after = tools.decide(session_id, checkpoint_id=checkpoint_id, **decision)  # type: ignore[arg-type]  # the tool checks
        return _asked(after)
    except InvalidInput as problem:
        return _asked(tools.get_session(session_id), f"Not accepted: {problem.message}\n\n")


def _asked(state: SessionState, problem: str = "") -> SessionState | InputRequired:
    """The form for the pending checkpoint; the state itself if there is none."""
    checkpoint = state.checkpoint
    if checkpoint is None:
        return state
    payload = checkpoint.payload
    if isinstance(payload, StrategyPayload):
        text, fields = _strategy_text(state, payload), _strategy_fields(payload)
    else:
        text, fields = _review_text(state, payload), _review_fields(payload)
    note: Schema = {
        "type": "string",
        "title": "Note",
        "maxLength": limits.NOTE_CHARS,
        "description": "For the next round.",
    }
    schema: Schema = {"type": "object", "properties": {**fields, "note": note}, "required": ["action"]}
    form: Schema = {"mode": "form", "message": problem + text, "requestedSchema": schema}
    return InputRequired(
        {KEY: {"method": "elicitation/create", "params": form}},
        {"session_id": state.session_id, "checkpoint_id": checkpoint.checkpoint_id},
    )


def _decision(shown: SessionState, checkpoint_id: str, content: Mapping[str, object]) -> dict[str, object]:
    """The arguments of `decide` for what was filled in."""
    action = str(content.get("action", ""))
    if action not in list(DecisionAction):
        raise InvalidDecision("Choose one: approve, edit or reject.")
    note = str(content.get("note") or "").strip() or None
    checkpoint = shown.checkpoint
    if checkpoint is None or checkpoint.checkpoint_id != checkpoint_id or action == "reject":
        # `decide` says what is wrong with a checkpoint that is no longer pending.
        return {"action": action, "note": note}
    if isinstance(checkpoint.payload, StrategyPayload):
        planned = checkpoint.payload.strategy
        revised = edited_strategy(planned, _edits(content, planned))
        if revised == planned:
            return {"action": "approve", "note": note}
        return {"action": "edit", "data": revised.model_dump(mode="json"), "note": note}
    return {"action": action, "data": _marks(content, checkpoint.payload.papers), "note": note}


def _marks(content: Mapping[str, object], papers: list[PaperLine]) -> dict[str, object]:
    known, made = {paper.id for paper in papers}, {}
    for name in _MARK_LISTS:
        chosen = content.get(name)
        made[name] = [paper_id for paper_id in (chosen if isinstance(chosen, list) else []) if paper_id in known]
    if len({paper_id for marked in made.values() for paper_id in marked}) < sum(map(len, made.values())):
        raise InvalidDecision("A paper can have one mark only.")
    return {f"marked_{name}": marked for name, marked in made.items()}


def _edits(content: Mapping[str, object], planned: SearchStrategy) -> TypedStrategy:
    """What was filled in; a field that was left out stays as planned."""
    years = [content.get(name, getattr(planned.filters, name)) for name in ("year_from", "year_to")]
    year_from, year_to = ("" if year is None else str(year) for year in years)
    sources = content.get("sources")
    return TypedStrategy(
        terms=str(content.get("terms") or StrategyForm(planned).terms),
        sources=[str(name) for name in sources] if isinstance(sources, list) and sources else planned.sources,
        year_from=year_from,
        year_to=year_to,
        max_results=str(content.get("max_results") or ""),
        language=str(content["language"] or "") if "language" in content else None,
        words={"excluded": str(content["excluded"] or "")} if "excluded" in content else {},
        boolean_queries={1: str(content.get("boolean_query") or "")},
    )


def _strategy_text(state: SessionState, payload: StrategyPayload) -> str:
    return (
        f"Literature search: {one_line(state.query)}\n\nConfirm the strategy, round {payload.iteration + 1}. "
        f"It was understood as: {one_line(payload.intent.topic)}."
    )


def _strategy_fields(payload: StrategyPayload) -> Schema:
    planned = StrategyForm(payload.strategy)
    filters = payload.strategy.filters
    year: Schema = {"type": "integer", "minimum": 0, "maximum": limits.LAST_YEAR}
    names = [{"const": source.name, "title": source.label} for source in planned.sources]
    return {
        "action": _actions("Search with what is filled in below", "The same", "Plan again, guided by the note"),
        "terms": {"type": "string", "title": "Search terms, one query a line", "default": planned.terms},
        "boolean_query": {
            "type": "string",
            "title": "Boolean query of the first line",
            "default": payload.strategy.queries[0].boolean_query,
        },
        "year_from": {**year, "title": "From year", **_default(filters.year_from)},
        "year_to": {**year, "title": "To year", **_default(filters.year_to)},
        "max_results": {
            "type": "integer",
            "title": "At most",
            "minimum": 1,
            "maximum": limits.SEARCH_RESULTS,
            "default": filters.max_results,
        },
        "language": {"type": "string", "title": "Language (code)", **_default(filters.language)},
        "excluded": {
            "type": "string",
            "title": "Without these words, with commas",
            "default": ", ".join(filters.excluded),
        },
        "sources": {
            "type": "array",
            "title": "Sources",
            "items": {"anyOf": names},
            "default": payload.strategy.sources,
        },
    }


def _review_text(state: SessionState, payload: ResultSummary) -> str:
    """The papers with what a person needs to judge them; the page has the others."""
    lines = [
        f"{number}. {one_line(paper.title)} ({paper.authors}, {paper.year or 'n.d.'}) {paper.link or ''}\n"
        f"{one_line(paper.passage)}".rstrip()
        for number, paper in enumerate(payload.papers, payload.offset + 1)
    ]
    more = f"\n\n{payload.papers_not_shown} more papers: {state.page}" if payload.papers_not_shown else ""
    head = f"Literature search: {one_line(state.query)}\n\nReview {payload.paper_count} papers, best first."
    return "\n\n".join([head, *lines]) + more


def _review_fields(payload: ResultSummary) -> Schema:
    titles = [
        {"const": paper.id, "title": f"{number}. {one_line(paper.title)[:_TITLE_CHARS]}"}
        for number, paper in enumerate(payload.papers, payload.offset + 1)
    ]
    lists: Schema = {
        name: {
            "type": "array",
            "title": label,
            "items": {"anyOf": titles},
            "default": [paper.id for paper in payload.papers if paper.mark == name],
        }
        for name, label in _MARK_LISTS.items()
    }
    actions = _actions(
        "Finish, without the papers marked not relevant or unsure",
        "Search again, guided by the marks and the note",
        "Start over, guided by the note",
    )
    return {"action": actions, **(lists if titles else {})}


def _actions(approve: str, edit: str, reject: str) -> Schema:
    choices = {"approve": approve, "edit": edit, "reject": reject}
    return {
        "type": "string",
        "title": "Decision",
        "oneOf": [{"const": name, "title": title} for name, title in choices.items()],
    }


def _default(value: object) -> Schema:
    return {} if value is None else {"default": value}
