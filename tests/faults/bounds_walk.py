"""Calls every tool, REST route and form with each field at its bound, just over it, and absurd; answers with JSON.

`python -m tests.faults.bounds_walk`: a process of its own, because what it looks for may end it.
"""

import json
import os
import resource
from collections.abc import Iterator, Mapping
from typing import Any  # JSON schemas, and values that no signature allows

import django
from pydantic import BaseModel

ABSURD_NUMBERS = (10**12, 2**62, 10**19, -(10**19))
ABSURD_CHARS, ABSURD_ITEMS = 400_000, 20_000
# Valid values for what a tool or route requires.
KNOWN = {
    "paper_id": "123",
    "query": "attention",
    "q": "attention",
    "keyword": "attention",
    "prefix": "att",
    "template": "deep_read",
    "lang": "zh",
    "category": "venues",
    "spec_id": "search-mcp",
    "requirement": "x",
    "change_id": "x",
    "action": "approve",
    "format": "json",
}
PAGES = {
    "/papers/": ("q", "page", "year_from", "year_to", "author", "sort"),
    "/specs/": ("q",),
    "/specs/search/": ("q",),
}
failures: list[str] = []
outcomes: dict[str, int] = {}


def main() -> None:
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    KNOWN["session_id"] = complete_session()
    for walk in (walk_tools, walk_decisions, walk_rest, walk_pages, walk_forms):
        walk(False)
    before = peak_bytes()
    fields = sum(walk(True) for walk in (walk_tools, walk_decisions, walk_rest, walk_pages, walk_forms))
    grown = peak_bytes() - before
    print(json.dumps({"fields": fields, "failures": failures, "outcomes": outcomes, "grown_bytes": grown}))


def complete_session() -> str:
    """A session that answers at once, however long the call may wait."""
    from searches import tools

    session_id = tools.start_search("attention").session_id
    tools.decide(session_id, "approve")
    return tools.decide(session_id, "approve").session_id


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def walk_tools(whole: bool) -> int:
    """Every argument of every tool, once for all servers; without `whole`, each tool once as it should be called."""
    from mcpapi.listing.servers import SERVERS

    walked, seen = 0, set[object]()
    for server in SERVERS.values():
        for tool in server.tools:
            if tool.function in seen:
                continue
            seen.add(tool.function)
            base = _required(tool.input_schema)
            _call(f"{server.name} {tool.name}", tool, base)
            for name, schema in _properties(tool.input_schema).items():
                walked += 1
                for value in _values(schema, tool.input_schema) if whole else ():
                    _call(f"{server.name} {tool.name} {name}", tool, {**base, name: value})
    return walked


def walk_decisions(whole: bool) -> int:
    """Every part of a strategy and of feedback, in an edit of a new session."""
    from paper_search.models import SearchStrategy, UserFeedback

    walked = 0
    query = {"keywords": ["attention"], "boolean_query": "attention", "synonym_map": []}
    good: dict[type[BaseModel], dict[str, Any]] = {
        SearchStrategy: {"queries": [query], "sources": ["snapshot"], "filters": {}},
        UserFeedback: {"marked_relevant": ["123"], "marked_irrelevant": [], "free_text_feedback": "more"},
    }
    for model, data in good.items():
        session_id = ""
        schema = model.model_json_schema()
        for path, part in _leaves(schema, schema):
            walked += 1
            for value in _values(part, schema) if whole else _values(part, schema)[:1]:
                session_id = session_id or _session_before(model)
                if _decide(".".join(path), session_id, _with(data, path, value)):
                    session_id = ""
    return walked


def _session_before(model: type[BaseModel]) -> str:
    """A session that waits for a decision of this kind; one that was refused leaves it waiting."""
    from paper_search.models import UserFeedback
    from searches import tools

    session_id = tools.start_search("attention").session_id
    if model is UserFeedback:
        tools.decide(session_id, "approve")
    return session_id


def walk_rest(whole: bool) -> int:
    from django.test import Client

    from papersite.pages.rest import api

    client, walked = Client(raise_request_exception=False), 0
    document = api.get_openapi_schema(path_prefix="/api/")
    for path, operations in document["paths"].items():
        for parameter in operations.get("get", {}).get("parameters", []):
            walked += 1
            for value in _values(parameter["schema"], document) if whole else ():
                _get(client, path, parameter, value)
    return walked


def walk_pages(whole: bool) -> int:
    from django.test import Client

    client = Client(raise_request_exception=False)
    for address, names in PAGES.items():
        for name in names:
            for value in (*ABSURD_NUMBERS, "x" * ABSURD_CHARS, "( " * 20_000) if whole else ("1",):
                _note(f"{address} {name}", client.get(address, {name: value}).status_code)
    return sum(map(len, PAGES.values()))


def walk_forms(whole: bool) -> int:
    """The fields of the forms that start a search and decide on it."""
    from django.test import Client

    from searches import tools

    client, absurd = (
        Client(raise_request_exception=False),
        (*map(str, ABSURD_NUMBERS), "x" * ABSURD_CHARS, "x\n" * 20_000),
    )
    for name in ("query", "domain", "max_results"):
        for value in absurd if whole else ():
            status = client.post("/searches/", {"query": "attention", name: value}).status_code
            _note(f"start form {name}", status)
    strategy = {"action": "edit", "terms": "attention", "src": "snapshot"}
    page = f"/searches/{tools.start_search('attention').session_id}/decide"
    for name in ("action", "terms", "src", "from", "to", "max", "note", "checkpoint_id"):
        for value in absurd if whole else ():
            _note(f"decide form {name}", client.post(page, {**strategy, name: value}).status_code)
    return 11


def _call(label: str, tool: Any, arguments: Mapping[str, object]) -> None:
    from mcpapi.listing.tool import Call
    from mcpapi.protocol import calls

    try:
        code, _ = calls.run(tool, Call(dict(arguments), frozenset(), {}))
    except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
        failures.append(f"{label}: {type(error).__name__}")
        return
    outcomes[code] = outcomes.get(code, 0) + 1


def _decide(label: str, session_id: str, data: dict[str, object]) -> bool:
    """Whether the decision was taken."""
    from papercore.errors import ToolError
    from searches import tools

    try:
        tools.decide(session_id, "edit", data)
        code = "ok"
    except ToolError as error:
        code = error.code
    except Exception as error:  # noqa: BLE001 - as above
        failures.append(f"decide {label}: {type(error).__name__}")
        return True
    outcomes[code] = outcomes.get(code, 0) + 1
    return code == "ok"


def _get(client: Any, path: str, parameter: dict[str, Any], value: object) -> None:
    names = [part.split("}")[0] for part in path.split("{")[1:]]
    parts = {name: KNOWN.get(name, "x") for name in names}
    query: dict[str, object] = {}
    if parameter["in"] == "path":
        parts[parameter["name"]] = str(value)[:4_000]
    else:
        query[parameter["name"]] = value
    _note(f"GET {path} {parameter['name']}", client.get(path.format(**parts), query).status_code)


def _note(label: str, status: int) -> None:
    outcomes[str(status)] = outcomes.get(str(status), 0) + 1
    if status >= 500:
        failures.append(f"{label}: {status}")


def _required(schema: dict[str, Any]) -> dict[str, object]:
    return {name: KNOWN.get(name, "x") for name in schema.get("required", [])}


def _properties(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return dict(schema.get("properties", {}))


def _leaves(schema: dict[str, Any], root: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[Any, Any]]:
    """Every field of a model, at any depth; lists by themselves and by their first item."""
    for name, part in _properties(_resolved(schema, root)).items():
        found = _resolved(part, root)
        yield (*path, name), found
        if "properties" in found:
            yield from _leaves(found, root, (*path, name))
        items = _resolved(found.get("items", {}), root)
        if "properties" in items:
            yield from _leaves(items, root, (*path, name, "0"))
        elif items:
            yield (*path, name, "0"), items


def _resolved(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """The schema behind a reference or an optional one."""
    for option in schema.get("anyOf", []):
        if option.get("type") != "null":
            return _resolved(option, root)
    if "$ref" not in schema:
        return schema
    found = root
    for name in schema["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return found


def _values(part: dict[str, Any], root: dict[str, Any]) -> list[Any]:
    """What to try: at the bounds, just over them, and absurd; None for what has another type."""
    schema = _resolved(part, root)
    kind = schema.get("type")
    if kind in ("integer", "number"):
        bounds = [schema[name] for name in ("minimum", "maximum") if name in schema]
        return [*bounds, *(bound + step for bound in bounds for step in (-1, 1)), *ABSURD_NUMBERS]
    if kind == "string":
        longest = schema.get("maxLength", 100)
        return ["x" * longest, "x" * (longest + 1), "x" * ABSURD_CHARS, "\0"]
    if kind == "array":
        item = (_values(schema.get("items", {}), root) or ["x"])[0]
        most = schema.get("maxItems", 10)
        return [[item] * number for number in (0, most, most + 1, ABSURD_ITEMS)]
    return [{}, [], 10**19]


def _with(data: Any, path: tuple[str, ...], value: object) -> Any:
    """A copy of the data with this value at this place; what is missing on the way is made."""
    if not path:
        return value
    name, *rest = path
    if name == "0":
        inner = data[0] if isinstance(data, list) and data else {"keyword": "x"}
        return [_with(inner, tuple(rest), value)]
    held = data if isinstance(data, dict) else {}
    return {**held, name: _with(held.get(name), tuple(rest), value)}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    main()
