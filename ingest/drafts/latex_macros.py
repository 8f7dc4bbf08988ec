"""Prepares a source in LaTeX: leaves out what is switched off, and writes out the macros that a draft defines itself.

Lines stay where they are, so that a place in the result is one of the file.
"""

import re
from collections.abc import Mapping

from msgspec import Struct

_COMMENT = r"(?<!\\)%[^\n]*"
_SWITCH = re.compile(rf"{_COMMENT}|\\(?P<name>if[A-Za-z@]*|else|fi)(?![A-Za-z@])")
_COMMENTED = re.compile(r"\\begin\{comment\}.*?(?:\\end\{comment\}|\Z)", re.DOTALL)
_DEFINES = re.compile(
    rf"{_COMMENT}|\\(?:(?:re|provide)?newcommand|renewcommand|DeclareRobustCommand)\*?\s{{0,9}}"
    r"(?:\{\s{0,9}\\(?P<braced>[A-Za-z@]+)\s{0,9}\}|\\(?P<bare>[A-Za-z@]+))\s{0,9}"
    r"(?:\[(?P<count>\d)\])?\s{0,9}(?P<optional>\[(?P<default>[^][\n]{0,200})\])?\s{0,9}(?=\{)"
    r"|\\def\s{0,9}\\(?P<plain>[A-Za-z@]+)(?P<marks>(?:#\d){0,9})\s{0,9}(?=\{)"
)
_CALL = re.compile(rf"(?P<comment>{_COMMENT})|\\(?P<name>[A-Za-z@]+)\*?")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_DEPTH = 8


class LatexMacro(Struct, frozen=True):
    """What a draft has defined: its text with #1 for the first argument, which may be optional."""

    body: str
    arguments: int = 0
    default: str | None = None


def without_switched_off(source: str) -> str:
    r"""Without what is between \iffalse and its \fi or \else, and without comment environments."""
    kept: list[str] = []
    at = depth = 0
    off: int | None = None
    start = 0
    for match in _SWITCH.finditer(source):
        name = match["name"] or ""
        if name == "iffalse" and off is None:
            off, start = depth, match.start()
        if off is not None and depth == off + 1 and name in ("fi", "else"):
            kept += [source[at:start], _line_ends(source[start : match.end()])]
            at, off = match.end(), None
        depth += name.startswith("if") - (name == "fi")
    rest = "".join([*kept, source[at:] if off is None else source[at:start]])
    return _COMMENTED.sub(lambda found: _line_ends(found[0]), rest)


def macros_defined(source: str) -> dict[str, LatexMacro]:
    """The last definition of each counts, as nobody can tell which is meant where."""
    found, closings = {}, _closings(source)
    for match in _DEFINES.finditer(source):
        name = match["braced"] or match["bare"] or match["plain"]
        if name and match.end() in closings:
            body = source[match.end() + 1 : closings[match.end()] - 1]
            arguments = int(match["count"] or 0) or len(match["marks"] or "") // 2
            text = re.sub(_COMMENT, "", body).replace("\n", " ").replace("\\xspace", "")
            found[name] = LatexMacro(text, arguments, match["default"] if match["optional"] else None)
    return found


def written_out(source: str, macros: Mapping[str, LatexMacro], most_chars: int) -> str:
    """Calls in calls down to some depth; where it would become longer than allowed, they stay calls."""
    for _ in range(_DEPTH):
        longer = _written_once(source, macros, most_chars)
        if longer in (None, source):
            break
        source = longer or source
    return source


def _written_once(source: str, macros: Mapping[str, LatexMacro], most_chars: int) -> str | None:
    parts: list[str] = []
    closings = _closings(source)
    at = length = defined_until = 0
    # A definition is no call.
    definitions = [match for match in _DEFINES.finditer(source) if match.end() in closings]
    ends = {match.start(): closings[match.end()] for match in definitions}
    for match in _CALL.finditer(source):
        defined_until = max(defined_until, ends.get(match.start(), 0))
        macro = macros.get(match["name"] or "") if match.start() >= max(at, defined_until) else None
        if macro and (call := _call(source, match.end(), macro, closings)):
            text, end = call
            new = f"{source[at : match.start()]}{_line_ends(source[match.start() : end])}{{{text}}}"
            parts.append(new)
            length += len(new)
            at = end
        if length > most_chars:
            return None
    return "".join([*parts, source[at:]]) if length + len(source) - at <= most_chars else None


def _call(source: str, at: int, macro: LatexMacro, closings: Mapping[int, int]) -> tuple[str, int] | None:
    """What a macro says with the arguments at this place, and where they end."""
    arguments = []
    if macro.default is not None:
        given = re.compile(r"\s{0,9}\[([^][]{0,500})\]").match(source, at)
        arguments.append(given[1] if given else macro.default)
        at = given.end() if given else at
    while len(arguments) < macro.arguments:
        at += len(source[at : at + 9]) - len(source[at : at + 9].lstrip())
        if at not in closings:
            return None
        arguments.append(source[at + 1 : closings[at] - 1])
        at = closings[at]
    text = re.sub(r"#(\d)", lambda found: "".join(arguments[int(found[1]) - 1 : int(found[1])]), macro.body)
    return re.sub(_COMMENT, "", text).replace("\n", " "), at


def _closings(source: str) -> dict[int, int]:
    """Where the group that begins at a brace ends."""
    found, opened = {}, []
    for match in _BRACE.finditer(source):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            found[opened.pop()] = match.end()
    return found


def _line_ends(text: str) -> str:
    return "%\n" * text.count("\n")
