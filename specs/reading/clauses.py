"""Reads the steps of a scenario: GIVEN, WHEN, THEN, AND, BUT, OR, IF, in the ways people write them."""

import re
from dataclasses import dataclass, field

from specs.reading.document import Clause, Role

ROLES: dict[str, Role] = {"GIVEN": "given", "WHEN": "when", "IF": "when", "THEN": "then"}
# Keywords of other languages count only in bold, as they are also everyday words.
FOREIGN = {
    "angenommen": "GIVEN", "gegeben": "GIVEN", "wenn": "WHEN", "dann": "THEN", "und": "AND", "aber": "BUT",
    "假如": "GIVEN", "假设": "GIVEN", "给定": "GIVEN", "前提": "GIVEN", "当": "WHEN",
    "那么": "THEN", "则": "THEN", "并且": "AND", "而且": "AND", "且": "AND", "但是": "BUT", "或": "OR",
    "如果": "IF", "もし": "WHEN", "ならば": "THEN", "かつ": "AND", "しかし": "BUT",
}  # fmt: skip
ENGLISH = r"GIVEN|WHEN|THEN|AND|BUT|OR|IF"
CLAUSE = re.compile(
    r"(?P<indent>[ \t]*)(?P<bullet>(?:[-*+]|\d{1,3}[.)])[ \t]+)?"
    rf"(?P<bold>\*{{1,3}}|_{{1,3}})?(?P<keyword>{ENGLISH}|{'|'.join(FOREIGN)})"
    r"[ \t]*[:：]?(?:(?P<close>(?P=bold))|(?!\w))[ \t]*[:：]?[ \t]*(?P<text>.*)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass
class _Open:
    """A clause whose lines are still being gathered."""

    keyword: str
    role: Role
    lines: list[str] = field(default_factory=list)

    def closed(self) -> Clause:
        return Clause(self.keyword, self.role, "\n".join(self.lines).strip())


def read_clauses(body: str) -> tuple[str, tuple[Clause, ...]]:
    """What stands before the first clause, and the clauses; other lines stay with the clause above them."""
    preamble: list[str] = []
    clauses: list[_Open] = []
    outer = None
    fence = ""
    for line in body.split("\n"):
        fence, in_code = _fence_state(fence, line)
        match = None if in_code else CLAUSE.match(line)
        if match and _is_clause(match, outer):
            outer = len(match["indent"]) if outer is None else outer
            clauses.append(_opened(match, clauses[-1].role if clauses else "when"))
        elif clauses:
            clauses[-1].lines.append(line)
        else:
            preamble.append(line)
    return "\n".join(preamble).strip(), tuple(clause.closed() for clause in clauses)


def _fence_state(fence: str, line: str) -> tuple[str, bool]:
    """The fence that is open after this line, and whether the line belongs to code."""
    text = line.strip()
    if fence:
        return ("" if text.startswith(fence) and not text.strip(fence[0]) else fence), True
    if text.startswith(("```", "~~~")):
        return text[: len(text) - len(text.lstrip(text[0]))], True
    return "", False


def _is_clause(match: re.Match[str], outer: int | None) -> bool:
    """Bold or shouted keywords always; `- When` only with a bullet, and not nested in another clause."""
    keyword = match["keyword"]
    if match["bold"]:
        return True
    if keyword.lower() in FOREIGN:
        return False
    if keyword.isupper():
        return bool(match["text"].strip()) or bool(match["bullet"])
    nested = outer is not None and len(match["indent"]) > outer
    return bool(match["bullet"]) and keyword.istitle() and keyword not in ("Or", "If") and not nested


def _opened(match: re.Match[str], previous: Role) -> _Open:
    keyword = FOREIGN.get(match["keyword"].lower(), match["keyword"].upper())
    text = match["text"]
    if match["bold"] and not match["close"]:
        text = match["bold"] + text  # the bold run goes on into the text
    return _Open(keyword, ROLES.get(keyword, previous), [text.strip()])
