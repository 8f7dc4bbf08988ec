"""Shortens the JSON schemas that pydantic makes: an agent reads all of them before its first call."""

from collections.abc import Callable, Mapping

Schema = dict[str, object]

# Their values are not schemas: names that happen to be `title` or `default` there must stay.
_DATA = ("default", "const", "enum", "examples", "required")
# What only whoever writes a value has to know.
_FOR_WRITERS = ("default", "required", "minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum")
_PREFIX = "#/$defs/"
# Callers get near limits up to this one.
_REACHED = 1_000


def without_titles(schema: Schema) -> Schema:
    """Without the titles that pydantic derives from names."""
    return _each(schema, lambda part: {key: value for key, value in part.items() if key != "title"})


def for_readers(schema: Schema) -> Schema:
    """For answers: every field is present and within its limits, and `items` and `enum` tell the type."""

    def shorten(part: Schema) -> Schema:
        dropped = (*_FOR_WRITERS, "type") if "items" in part or "enum" in part else _FOR_WRITERS
        kept = {key: value for key, value in part.items() if key not in dropped}
        values = kept.get("enum")
        # A union of types may name a value twice.
        return {**kept, "enum": list(dict.fromkeys(values))} if isinstance(values, list) else kept

    return _each(schema, shorten)


def without_empty_defaults(schema: Schema) -> Schema:
    """For arguments: one that may be left out is null or an empty list if it is."""
    return _each(
        schema, lambda part: {key: part[key] for key in part if key != "default" or part[key] not in (None, [])}
    )


def with_null_as_type(schema: Schema) -> Schema:
    """`{"type": ["string", "null"]}` for a string or null, instead of two alternatives."""

    def merge(part: Schema) -> Schema:
        choices = part.get("anyOf")
        if not (isinstance(choices, list) and len(choices) == 2 and choices[1] == {"type": "null"}):
            return part
        value: Schema = choices[0]
        if not isinstance(value.get("type"), str) or "enum" in value or "const" in value:
            return part
        others = {key: content for key, content in part.items() if key != "anyOf"}
        return {**value, "type": [value["type"], "null"], **others}

    return _each(schema, merge)


def with_shared_parts_alone(schema: Schema) -> Schema:
    """Leaves in `$defs` what is used more than once; what is used once goes where it is used."""
    definitions = schema.get("$defs")
    if not isinstance(definitions, dict):
        return schema
    used = _references(schema)
    single = {name: part for name, part in definitions.items() if used.count(_PREFIX + name) == 1}

    def inline(part: Schema) -> Schema:
        name = str(part.get("$ref", "")).removeprefix(_PREFIX)
        if name not in single:
            return part
        return {**_each(single[name], inline), **{key: value for key, value in part.items() if key != "$ref"}}

    shared = {name: part for name, part in definitions.items() if used.count(_PREFIX + name) > 1}
    short = _each({**schema, "$defs": shared}, inline)
    return short if shared else {key: value for key, value in short.items() if key != "$defs"}


def outline(schema: Schema) -> Schema:
    """For answers: the names of the fields in words, those of their parts in brackets.

    An agent that reads an answer sees what is in it; before the call it only has to know what it can count on.
    """
    definitions = schema.get("$defs")
    parts: Schema = definitions if isinstance(definitions, dict) else {}
    return {"type": "object", "description": ", ".join(_names(schema, parts))}


def for_writers(schema: Schema) -> Schema:
    """For arguments: one that may be null may be left out; nobody counts below 0 or reaches the largest numbers, how
    long a text may be is said where one is too long, and an object is described by its fields.
    """

    def shorten(part: Schema) -> Schema:
        told = {key: part[key] for key in part if key not in ("minLength", "maxLength")}
        if "properties" in told:
            told.pop("description", None)
        kept = {key: value for key, value in told.items() if key != "minimum" or value not in (0, 1)}
        if isinstance(most := kept.get("maximum"), int) and most > _REACHED:
            del kept["maximum"]
        types = kept.get("type")
        return {**kept, "type": types[0]} if isinstance(types, list) and types[1:] == ["null"] else kept

    return _each(schema, shorten)


def _names(part: object, parts: Schema, depth: int = 0) -> list[str]:
    """The names of the fields of the objects that a part holds, one level of their own parts in brackets."""
    if not isinstance(part, dict):
        return []
    if name := str(part.get("$ref", "")).removeprefix(_PREFIX):
        return _names(parts.get(name), parts, depth)
    for key in ("items", "additionalProperties"):
        if key in part:
            return _names(part[key], parts, depth)
    choices = part.get("anyOf")
    if isinstance(choices, list):
        return next((names for choice in choices if (names := _names(choice, parts, depth))), [])
    fields = part.get("properties")
    if not isinstance(fields, dict):
        return []
    inner = {name: ", ".join(_names(field, parts, 1)) if not depth else "" for name, field in fields.items()}
    # Parts of the same form are named once: `papers (...)`, then `nearest`.
    first = {found: name for name, found in reversed(inner.items()) if found}
    return [f"{name} ({found})" if first.get(found) == name else name for name, found in inner.items()]


def _references(value: object) -> list[str]:
    if isinstance(value, list):
        return [found for part in value for found in _references(part)]
    if not isinstance(value, dict):
        return []
    own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
    return own + [found for part in value.values() for found in _references(part)]


def _each(schema: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """The schema with every schema in it changed, the outer one last."""
    return change({key: _changed(key, value, change) for key, value in schema.items()})


def _changed(key: str, value: object, change: Callable[[Schema], Schema]) -> object:
    if key in _DATA:
        return value
    if key in ("properties", "$defs") and isinstance(value, Mapping):
        return {name: _each(part, change) for name, part in value.items()}
    if isinstance(value, dict):
        return _each(value, change)
    if isinstance(value, list):
        return [_each(part, change) if isinstance(part, dict) else part for part in value]
    return value
