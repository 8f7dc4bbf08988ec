"""Collects every regular expression of the project with the methods it is called by, and writes texts to hurt it."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any  # what the parser of `re` returns has no types

from msgspec import Struct
from msgspec.structs import astuple

# The parser of `re`, which has no public name.
codes, parser = (importlib.import_module(f"re.{name}") for name in ("_constants", "_parser"))
PACKAGES = ("papercore", "ingest", "papers", "specs", "paper_search", "searches", "mcpapi", "papersite")
METHODS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
# One character of each class, and what ends a run of them.
SAMPLES = "a1 -A\"'\n_.,:<>/()[]{}\\$*#`&中"
ENDINGS = ("", "\0", "\n")


@dataclass
class Expression:
    """A compiled pattern, where it was found, and what is done with it."""

    place: str
    pattern: re.Pattern[Any]
    methods: set[str] = field(default_factory=set)


def modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        root = importlib.import_module(package)
        yield root
        for info in pkgutil.walk_packages(root.__path__, f"{package}."):
            if ".migrations" not in info.name and not info.name.endswith((".__main__", ".wsgi")):
                yield importlib.import_module(info.name)


def expressions() -> list[Expression]:
    """All of them: named ones, those in tables of a module, and those written where they are used."""
    found: dict[tuple[str | bytes, int], Expression] = {}
    for module in modules():
        for name, value in vars(module).items():
            for pattern in _patterns(value):
                key = (pattern.pattern, pattern.flags)
                found.setdefault(key, Expression(f"{module.__name__}.{name}", pattern))
        for place, pattern, method in _uses(module):
            key = (pattern.pattern, pattern.flags)
            found.setdefault(key, Expression(place, pattern)).methods.add(method)
    return list(found.values())


def _patterns(value: object, depth: int = 2) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, Mapping):
        for item in [*value.keys(), *value.values()]:
            yield from _patterns(item, depth - 1)
    elif depth and isinstance(value, tuple | list):
        for item in value:
            yield from _patterns(item, depth - 1)
    elif depth and isinstance(value, Struct):
        yield from _patterns(astuple(value), depth)


def _uses(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any], str]]:
    if not module.__file__:
        return
    with open(module.__file__, encoding="utf-8") as file:  # noqa: PTH123 (a module's file is a plain string)
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        place = f"{module.__name__}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Attribute) and node.attr in METHODS and isinstance(node.value, ast.Name):
            pattern = vars(module).get(node.value.id)
            if isinstance(pattern, re.Pattern):
                yield place, pattern, node.attr
        if isinstance(node, ast.Call) and (method := _inline_method(node)):
            yield place, _inline_pattern(module, node), method


def _inline_method(call: ast.Call) -> str:
    """The name of a function of `re` that is called with a pattern; compiled ones are found by their name."""
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re":
        return function.attr if function.attr in METHODS else ""
    return ""


def _inline_pattern(module: ModuleType, call: ast.Call) -> re.Pattern[Any]:
    flags_at = {"sub": 4, "subn": 4, "split": 3}.get(_inline_method(call), 2)
    flags = [word.value for word in call.keywords if word.arg == "flags"] or call.args[flags_at : flags_at + 1]
    values = [_value(module, node) for node in (call.args[0], *flags)]
    return re.compile(values[0], *values[1:])


def _value(module: ModuleType, node: ast.expr) -> Any:
    """What an argument is where it needs no more than the module's own names; letters otherwise."""
    names = {name.id: "word" for name in ast.walk(node) if isinstance(name, ast.Name)}
    attributes = {name for name, value in names.items() if name in dir(__builtins__)}
    scope = {name: value for name, value in names.items() if name not in attributes} | vars(module)
    try:
        return eval(compile(ast.Expression(node), module.__name__, "eval"), scope)
    except (AttributeError, NameError, TypeError):
        return "word"


def hostile_texts(pattern: re.Pattern[Any]) -> set[tuple[str, str, str]]:
    """Beginnings, parts to repeat, and endings that make a pattern try again and again."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(text, pattern.flags & ~re.DEBUG)
    whole = _shortest(tree)
    starts = {("", whole), ("", whole[:-1]), *_repeats(tree, "")}
    return {(head, part, end) for head, part in starts if part for end in ENDINGS}


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """For each repeated piece: many of it after what it follows, many of it alone, and both together many times."""
    for number, (code, argument) in enumerate(tree):
        here = before + _shortest(tree[:number])
        for body in _bodies(code, argument):
            if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
                for sample in _samples(body):
                    yield from ((here, sample), ("", sample), ("", here + sample), (here[:-1], sample))
            yield from _repeats(body, here)
        if code in (codes.LITERAL, codes.IN):
            for sample in _samples([(code, argument)])[:2]:
                yield from (("", sample), ("", here + sample))


def _bodies(code: Any, argument: Any) -> list[Any]:
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return [argument[2]]
    if code is codes.SUBPATTERN:
        return [argument[3]]
    if code is codes.BRANCH:
        return list(argument[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [argument[1]]
    return []


def _shortest(tree: Any) -> str:
    return "".join(_piece(code, argument) for code, argument in tree)


def _piece(code: Any, argument: Any) -> str:
    if code is codes.LITERAL:
        return chr(argument)
    if code in (codes.NOT_LITERAL, codes.IN, codes.ANY):
        return next(iter(_samples([(code, argument)])), "")
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        # Once even where it may be missing: what a text must hold to get further.
        times: int = max(1, min(argument[0], 20))
        return _shortest(argument[2]) * times
    bodies = [] if code is codes.ASSERT_NOT else _bodies(code, argument)
    return _shortest(bodies[0]) if bodies else ""


def _samples(tree: Any) -> list[str]:
    """Up to four short texts that the piece matches: for a class some of its characters."""
    items = list(tree)
    if len(items) != 1 or items[0][0] not in (codes.NOT_LITERAL, codes.IN, codes.ANY):
        return [_shortest(items)]
    code, argument = items[0]
    if code is codes.ANY:
        return ["a", " "]
    if code is codes.NOT_LITERAL:
        return [char for char in SAMPLES if ord(char) != argument][:4]
    return _members(argument)


def _members(items: Any) -> list[str]:
    """Characters of a class: its own literals and ends of ranges, and such of the samples as it holds."""
    own = [chr(value) for kind, value in items if kind is codes.LITERAL]
    own += [chr(value[0]) for kind, value in items if kind is codes.RANGE]
    chars = dict.fromkeys([*SAMPLES, *own])
    return [char for char in chars if _holds(items, char)][:4] + own[:4]


def _holds(items: Any, char: str) -> bool:
    categories = {
        codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_NOT_DIGIT: r"\D", codes.CATEGORY_SPACE: r"\s",
        codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_WORD: r"\w", codes.CATEGORY_NOT_WORD: r"\W",
    }  # fmt: skip
    inside, wanted = False, True
    for kind, value in items:
        if kind is codes.NEGATE:
            wanted = False
        elif kind is codes.LITERAL:
            inside |= ord(char) == value
        elif kind is codes.RANGE:
            inside |= value[0] <= ord(char) <= value[1]
        elif kind is codes.CATEGORY:
            inside |= bool(re.match(categories[value], char))
    return inside is wanted
