"""Checkpoints of search sessions as forms in the client: what is shown, and the decision in what was filled in."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from msgspec import Struct
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
# What a form holds when it comes back, by the names of its fields.
Content = Mapping[str, object]
# The lists of marks in the form of a review, by the marks they make.
_MARK_LISTS = {"relevant": "Relevant", "irrelevant": "Not relevant", "unsure": "Unsure"}
_TITLE_CHARS = 160
_NOTE: Schema = {
    "type": "string",
    "title": "Note",
    "maxLength": limits.NOTE_CHARS,
    "description": "For the next round.",
}


def asking(function: Callable[..., SessionState], *, only_if_waiting: bool = False) -> Interaction:
    """The tool that returns a pending checkpoint as a form, where the client has forms.

    `only_if_waiting`: only for calls with `wait_seconds`; others want to read. A client that shows the review board
    needs no form.
    """

    def interact(call: Call) -> BaseModel | InputRequired:
        if "elicitation" in call.capabilities and "apps" not in call.capabilities:
            if call.state is not None:
                return _answer_to_form(call.state, call.responses)
            state = function(**call.arguments)
            return state if only_if_waiting and not call.arguments.get("wait_seconds") else _form_or_state(state)
        state = function(**call.arguments)
        if "apps" in call.capabilities and state.has_pending_checkpoint:
            state.next = (
                "Your user sees the review board and decides there: wait with get_session and wait_seconds. If they "
                f"tell you what to decide: {state.next}"
            )
        return state

    return interact


def _form_or_state(state: SessionState, problem: str = "") -> SessionState | InputRequired:
    """The form for the pending checkpoint, with what was wrong with the last one; the state if nothing is pending."""
    if state.checkpoint and isinstance(state.checkpoint.payload, ResultSummary):
        # A person judges by more than titles.
        state = tools.get_session(state.session_id)
    if state.checkpoint is None:
        return state
    form = _form_of(state, state.checkpoint.payload)
    schema: Schema = {"type": "object", "properties": {**form.fields(), "note": _NOTE}, "required": ["action"]}
    params: Schema = {"mode": "form", "message": problem + form.text(), "requestedSchema": schema}
    return InputRequired(
        {KEY: {"method": "elicitation/create", "params": params}},
        {"session_id": state.session_id, "checkpoint_id": state.checkpoint.checkpoint_id},
    )


def _answer_to_form(asked: Schema, responses: Mapping[str, object]) -> BaseModel | InputRequired:
    """Decide as the form says; a form that was declined decides nothing, one that cannot be used is shown again."""
    session_id, checkpoint_id = str(asked["session_id"]), str(asked["checkpoint_id"])
    shown = tools.get_session(session_id)
    response = responses.get(KEY)
    if not isinstance(response, dict):
        return _form_or_state(shown)
    if response.get("action") != "accept":
        return shown
    content = response.get("content")
    try:
        decision = _decision(shown, checkpoint_id, content if isinstance(content, dict) else {})
        with calling(replace(current(), kind="person")):
            after = tools.decide(session_id, checkpoint_id=checkpoint_id, **decision)  # type: ignore[arg-type]  # the tool checks
        return _form_or_state(after)
    except InvalidInput as problem:
        return _form_or_state(tools.get_session(session_id), f"Not accepted: {problem.message}\n\n")


def _decision(shown: SessionState, checkpoint_id: str, content: Content) -> dict[str, object]:
    """The arguments of `decide` for what was filled in."""
    action = str(content.get("action", ""))
    if action not in list(DecisionAction):
        raise InvalidDecision("Choose one: approve, edit or reject.")
    decision: dict[str, object] = {"action": action, "note": str(content.get("note") or "").strip() or None}
    checkpoint = shown.checkpoint
    if checkpoint is None or checkpoint.checkpoint_id != checkpoint_id or action == "reject":
        # `decide` says what is wrong with a checkpoint that is no longer pending.
        return decision
    return decision | _form_of(shown, checkpoint.payload).decision(action, content)


class _StrategyForm(Struct, frozen=True):
    """The plan, to be confirmed or changed."""

    state: SessionState
    payload: StrategyPayload

    @property
    def plan(self) -> SearchPlan:
        return self.payload.plan or SearchPlan.of(self.payload.intent, self.payload.strategy.sources)

    def text(self) -> str:
        told = "; ".join(one_line(part) for part in self.state.not_understood)
        asked = f"Literature search: {one_line(self.state.query)}"
        confirm = f"Confirm the plan, round {self.payload.iteration + 1}."
        return f"{asked}\n\n{confirm}" + (f" Not understood, so it changes nothing: {told}." if told else "")

    def fields(self) -> Schema:
        plan = self.plan
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

    def decision(self, action: str, content: Content) -> dict[str, object]:
        """Approved as it is, or with the fields that changed; one that was left out stays as planned."""
        filled = {name: "" if value is None else str(value) for name, value in content.items()}
        sources = content.get("sources")
        typed = TypedPlan(
            topic=filled.get("topic"),
            concepts=filled.get("concepts"),
            sources=[str(name) for name in sources] if isinstance(sources, list) and sources else None,
            year_from=filled.get("year_from"),
            year_to=filled.get("year_to"),
            max_results=filled.get("max_results"),
            language=filled.get("language"),
            words={name: filled[name] for name in ("not", "authors", "venues") if name in filled},
        )
        planned = self.plan.model_dump(mode="json", by_alias=True)
        changed = {name: value for name, value in plan_fields(typed).items() if value != planned[name]}
        return {"action": "edit", "data": changed} if changed else {"action": "approve"}


class _ReviewForm(Struct, frozen=True):
    """The first papers, to be marked."""

    state: SessionState
    payload: ResultSummary

    def text(self) -> str:
        """The papers with what a person needs to judge them; the page has the others."""
        lines = [
            f"{number}. {one_line(paper.title)} ({paper.authors}, {paper.year or 'n.d.'}) {paper.link or ''}\n"
            f"{one_line(paper.passage)}".rstrip()
            for number, paper in self._numbered()
        ]
        left = self.payload.papers_not_shown
        more = f"\n\n{left} more papers: {self.state.page}" if left else ""
        asked = f"Literature search: {one_line(self.state.query)}"
        return "\n\n".join([asked + f"\n\nReview {self.payload.paper_count} papers, best first.", *lines]) + more

    def fields(self) -> Schema:
        action = _actions(
            "Finish, without the papers marked not relevant or unsure",
            "Search again, guided by the marks and the note",
            "Start over, guided by the note",
        )
        titles = [
            {"const": paper.id, "title": f"{number}. {one_line(paper.title)[:_TITLE_CHARS]}"}
            for number, paper in self._numbered()
        ]
        if not titles:
            return {"action": action}
        lists: Schema = {
            name: {
                "type": "array",
                "title": label,
                "items": {"anyOf": titles},
                "default": [paper.id for paper in self.payload.papers if paper.mark == name],
            }
            for name, label in _MARK_LISTS.items()
        }
        follow = {"type": "boolean", "title": "Search again by the citations of the relevant papers", "default": False}
        return {"action": action, **lists, "follow_citations": follow}

    def decision(self, action: str, content: Content) -> dict[str, object]:
        known = {paper.id for paper in self.payload.papers}
        chosen = {name: content.get(name) for name in _MARK_LISTS}
        made = {
            name: [paper_id for paper_id in (ids if isinstance(ids, list) else []) if paper_id in known]
            for name, ids in chosen.items()
        }
        if len({paper_id for marked in made.values() for paper_id in marked}) < sum(map(len, made.values())):
            raise InvalidDecision("A paper can have one mark only.")
        data: dict[str, object] = {f"marked_{name}": marked for name, marked in made.items()}
        if action == "edit" and content.get("follow_citations") is True:
            data["follow_citations"] = True
        return {"data": data}

    def _numbered(self) -> list[tuple[int, PaperLine]]:
        return list(enumerate(self.payload.papers, self.payload.offset + 1))


def _form_of(state: SessionState, payload: StrategyPayload | ResultSummary) -> _StrategyForm | _ReviewForm:
    return _StrategyForm(state, payload) if isinstance(payload, StrategyPayload) else _ReviewForm(state, payload)


def _actions(approve: str, edit: str, reject: str) -> Schema:
    choices = {"approve": approve, "edit": edit, "reject": reject}
    return {
        "type": "string",
        "title": "Decision",
        "oneOf": [{"const": name, "title": title} for name, title in choices.items()],
    }


def _default(value: object) -> Schema:
    return {} if value is None else {"default": value}
