"""Reads a stored state: what an older version stored beyond today's limits is cut to them."""

import json

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from paper_search.workflow.state import WorkflowState
from papercore.errors import Conflict

# Cutting one field may bring out an error in another.
ROUNDS = 5


class UnusableState(Conflict):
    """What is stored of a session does not make a state."""

    code = "session_unusable"


def load_state(text: str) -> WorkflowState:
    """The state in a stored JSON text. UnusableState if no part of it can be cut to make it one."""
    try:
        return WorkflowState.model_validate_json(text)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
    try:
        data = json.loads(text)
        for _ in range(ROUNDS):
            for problem in found:
                _cut(data, problem)
            try:
                return WorkflowState.model_validate(data)
            except ValidationError as error:
                found = error.errors(include_url=False, include_input=False)
    except (ValueError, RecursionError):
        pass
    raise UnusableState("The stored search cannot be read any more: start a new one.")


def _cut(data: object, problem: ErrorDetails) -> None:
    """Cut a text or list to its limit, set a number to the nearest allowed one; leave other problems alone."""
    parent = data
    *path, name = problem["loc"]
    for step in path:
        # A location also names the member of a union, which the data does not.
        parent = _child(parent, step) or parent
    value, bounds = _child(parent, name), problem.get("ctx", {})
    if not isinstance(parent, dict | list):
        return
    if "max_length" in bounds and isinstance(value, str | list):
        parent[name] = value[: bounds["max_length"]]  # type: ignore[index]  # it was found there
    elif "le" in bounds or "ge" in bounds:
        parent[name] = bounds.get("le", bounds.get("ge"))  # type: ignore[index]  # as above


def _child(parent: object, step: int | str) -> object:
    if isinstance(parent, dict):
        return parent.get(step)
    return parent[step] if isinstance(parent, list) and isinstance(step, int) and step < len(parent) else None
