"""Checkpoints of search sessions as forms in the client: what is shown, and the decision in what was filled in."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pydantic import BaseModel

from mcpapi.listing.short_schema import Schema
from mcpapi.listing.tool import Call, InputRequired, Interaction
from paper_search.plan import SearchPlan
from paper_search.workflow.checkpoints import DecisionAction, StrategyPayload
from paper_search.workflow.errors import InvalidDecision
from paper_search.workflow.session_state import PaperLine, ResultSummary, SessionState
from papercore import limits
from papercore.caller import calling, current
from papercore.errors import InvalidInput
from papercore.text import one_line
from searches import tools
from searches.forms import PlanForm, TypedPlan, plan_fields

KEY = "decision"
# The lists of marks in the form of a review, by the marks they make.
_MARK_LISTS = {"relevant": "Relevant", "irrelevant": "Not relevant", "unsure": "Unsure"}
_TITLE_CHARS = 160


def asking(function: Callable[..., SessionState], *, only_if_waiting: bool = False) -> Interaction:
    """The tool that returns a pending checkpoint as a form, where the client has forms.

    `only_if_waiting`: only for calls with `wait_seconds`; others want to read. A client that shows the review board
    needs no form.
    """

    def interact(call: Call) -> BaseModel | InputRequired:
        if "apps" in call.capabilities:
            return _on_the_board(function(**call.arguments))
        if "elicitation" not in call.capabilities:
            return function(**call.arguments)
        if call.state is not None:
            return _go_on(call.state, call.responses)
        state = function(**call.arguments)
        return state if only_if_waiting and not call.arguments.get("wait_seconds") else _asked(state)

    return interact


def _on_the_board(state: SessionState) -> SessionState:
    if state.has_pending_checkpoint:
        state.next = (
            "Your user sees the review board and decides there: wait with get_session and wait_seconds. If they tell "
            f"you what to decide: {state.next}"
        )
    return state


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
    if state.checkpoint and isinstance(state.checkpoint.payload, ResultSummary):
        # A person judges by more than titles.
        state = tools.get_session(state.session_id)
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
        plan = _plan(checkpoint.payload)
        fields = plan_fields(_typed(content, plan))
        planned = plan.model_dump(mode="json", by_alias=True)
        changed = {name: value for name, value in fields.items() if value != planned[name]}
        return {"action": "edit" if changed else "approve", "data": changed or None, "note": note}
    data = _marks(content, checkpoint.payload.papers)
    if action == "edit" and content.get("follow_citations") is True:
        data["follow_citations"] = True
    return {"action": action, "data": data, "note": note}


def _marks(content: Mapping[str, object], papers: list[PaperLine]) -> dict[str, object]:
    known, made = {paper.id for paper in papers}, {}
    for name in _MARK_LISTS:
        chosen = content.get(name)
        made[name] = [paper_id for paper_id in (chosen if isinstance(chosen, list) else []) if paper_id in known]
    if len({paper_id for marked in made.values() for paper_id in marked}) < sum(map(len, made.values())):
        raise InvalidDecision("A paper can have one mark only.")
    return {f"marked_{name}": marked for name, marked in made.items()}


def _plan(payload: StrategyPayload) -> SearchPlan:
    return payload.plan or SearchPlan.of(payload.intent, payload.strategy.sources)


def _typed(content: Mapping[str, object], plan: SearchPlan) -> TypedPlan:
    """What was filled in; a field that was left out stays as planned."""
    filled = {name: "" if value is None else str(value) for name, value in content.items()}
    sources = content.get("sources")
    return TypedPlan(
        topic=filled.get("topic"),
        concepts=filled.get("concepts"),
        sources=[str(name) for name in sources] if isinstance(sources, list) and sources else None,
        year_from=filled.get("year_from"),
        year_to=filled.get("year_to"),
        max_results=filled.get("max_results"),
        language=filled.get("language"),
        words={name: filled[name] for name in ("not", "authors", "venues") if name in filled},
    )


def _strategy_text(state: SessionState, payload: StrategyPayload) -> str:
    told = "; ".join(one_line(part) for part in state.not_understood)
    return f"Literature search: {one_line(state.query)}\n\nConfirm the plan, round {payload.iteration + 1}." + (
        f" Not understood, so it changes nothing: {told}." if told else ""
    )


def _strategy_fields(payload: StrategyPayload) -> Schema:
    plan = _plan(payload)
    form = PlanForm(plan)
    year: Schema = {"type": "integer", "minimum": 0, "maximum": limits.LAST_YEAR}
    names = [{"const": source.name, "title": source.label} for source in form.sources]
    words = {field.name: field.value for field in form.words}
    return {
        "action": _actions("Search with what is filled in below", "The same", "Plan again, guided by the note"),
        "topic": {"type": "string", "title": "Topic, in words", "default": form.topic},
        "concepts": {
            "type": "string",
            "title": "Concepts that must all occur: one a line, synonyms behind commas",
            "default": form.concepts,
        },
        "year_from": {**year, "title": "From year", **_default(plan.year_from)},
        "year_to": {**year, "title": "To year", **_default(plan.year_to)},
        "max_results": {
            "type": "integer",
            "title": "At most",
            "minimum": 1,
            "maximum": limits.SEARCH_RESULTS,
            "default": plan.max_results or limits.REVIEW_PAPERS,
        },
        "language": {"type": "string", "title": "Language (code)", "default": form.language},
        "not": {"type": "string", "title": "Without, with commas", "default": words["not"]},
        "authors": {"type": "string", "title": "By, with commas", "default": words["authors"]},
        "venues": {"type": "string", "title": "Published at, with commas", "default": words["venues"]},
        "sources": {"type": "array", "title": "Sources", "items": {"anyOf": names}, "default": plan.sources},
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
    follow: Schema = {
        "type": "boolean",
        "title": "Search again by the citations of the relevant papers",
        "default": False,
    }
    return {"action": actions, **({**lists, "follow_citations": follow} if titles else {})}


def _actions(approve: str, edit: str, reject: str) -> Schema:
    choices = {"approve": approve, "edit": edit, "reject": reject}
    return {
        "type": "string",
        "title": "Decision",
        "oneOf": [{"const": name, "title": title} for name, title in choices.items()],
    }


def _default(value: object) -> Schema:
    return {} if value is None else {"default": value}
