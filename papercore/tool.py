"""What makes a typed function a tool: its arguments are checked and their texts cleaned; bad ones are InvalidInput."""

import re
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

from pydantic import AfterValidator, ValidationError, validate_call
from pydantic_core import ErrorDetails, PydanticCustomError

from papercore import limits
from papercore.errors import InvalidInput

# By the type of pydantic's error.
PROBLEMS = {
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "must be a smaller number",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "string_type": "must be a text",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be an object with named fields",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "string_too_long": "must have at most {max_length} characters",
    "too_long": "must have at most {max_length} values",
    "too_short": "must have at least {min_length} values",
    "literal_error": "must be {expected}",
    "model_type": "must be an object with named fields",
    "model_attributes_type": "must be an object with named fields",
    "extra_forbidden": "is not a field that it has",
    "missing": "is required",
    "missing_argument": "is required",
}
# SQLite ends a pattern at U+0000, so that it matches everything; PostgreSQL refuses it, and half a surrogate pair.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_BLANKS = r" \t\r\n"
# Blanks, control characters, and marks without a width, such as a zero-width space.
_UNSEEN = r"\s\u0000-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
# For documents that describe such texts to programs.
VISIBLE_PATTERN = f"[^{_UNSEEN}]"
VISIBLE_OR_BLANK_PATTERN = f"^[{_BLANKS}]*$|{VISIBLE_PATTERN}"
_VISIBLE = re.compile(rf"[^{_UNSEEN}\ud800-\udfff]")
P = ParamSpec("P")
R = TypeVar("R")


def tool(function: Callable[P, R]) -> Callable[P, R]:
    """Check the arguments against the signature, so that its limits hold for every caller."""
    checked = validate_call(function)
    names = list(signature(function).parameters)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return checked(*args, **kwargs)
        except ValidationError as error:
            if error.title != function.__name__:  # raised by the body, not by the arguments
                raise
            raise invalid_input(error, names) from None

    return call


def invalid_input(error: ValidationError, names: list[str]) -> InvalidInput:
    """Say which arguments are wrong and why; without their values, and no more of them than people read."""
    found = error.errors(include_url=False, include_input=False)
    # pydantic counts a list without its wrong items, and calls it too short although it was not.
    inside = {problem["loc"][:length] for problem in found for length in range(1, len(problem["loc"]))}
    found = [problem for problem in found if problem["type"] != "too_short" or problem["loc"] not in inside]
    problems = [
        {"argument": argument_name(problem["loc"], names)[: limits.ID_CHARS], "problem": in_words(problem, names)}
        for problem in found[: limits.PROBLEMS]
    ]
    message = "; ".join(f"{problem['argument']}: {problem['problem']}" for problem in problems)
    return InvalidInput(message, problems=problems)


def in_words(problem: ErrorDetails, names: Sequence[str]) -> str:
    """What an argument must be; for problems not in the table, what pydantic says."""
    if problem["type"] == "unexpected_keyword_argument":
        return f"is no argument; there are {', '.join(names)}" if names else "is no argument: there are none"
    known = PROBLEMS.get(problem["type"])
    return known.format(**problem.get("ctx", {})) if known else problem["msg"]


def argument_name(location: tuple[int | str, ...], names: list[str]) -> str:
    """The dotted name of an argument or a part of it. pydantic gives a positional argument's number."""
    first, *rest = location
    name = names[first] if isinstance(first, int) and first < len(names) else first
    return ".".join(map(str, [name, *rest]))


def without_control_characters(text: str) -> str:
    """Each is a blank instead; tabs and line ends stay."""
    return _CONTROL.sub(" ", text)


def cleaned(value: object) -> object:
    """The same for every text in a JSON value."""
    if isinstance(value, str):
        return without_control_characters(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    return {name: cleaned(item) for name, item in value.items()} if isinstance(value, dict) else value


def is_visible(text: str) -> bool:
    """Whether anything of it can be seen."""
    return bool(_VISIBLE.search(text))


def visible_text(text: str) -> str:
    """The text, cleaned; one in which nothing can be seen is refused."""
    if not is_visible(text):
        raise PydanticCustomError("empty_text", "The text is empty: write at least one letter, digit or sign")
    return without_control_characters(text)


def text_or_blank(text: str) -> str:
    """The text, cleaned; a blank one asks for everything, but not one that only cleaning makes blank."""
    return visible_text(text) if text.strip(" \t\r\n") else text


def number_as_text(value: object) -> object:
    """Agents send an id that looks like a number as a number."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


# For the annotation of any text, of one that must not be empty, and of one that may be blank.
CLEAN = AfterValidator(without_control_characters)
VISIBLE = AfterValidator(visible_text)
VISIBLE_OR_BLANK = AfterValidator(text_or_blank)
