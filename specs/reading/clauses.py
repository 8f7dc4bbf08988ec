"""Reads the steps of a scenario: GIVEN, WHEN, THEN, AND, BUT, OR, IF, in the ways people write them."""

import re
from dataclasses import dataclass, field

from specs.reading.document import Clause, Role
from specs.reading.outline import fenced_lines

ROLES: dict[str, Role] = {"GIVEN": "given", "WHEN": "when", "IF": "when", "THEN": "then"}
# Keywords of other languages count only in bold, because they are also everyday words.
TRANSLATIONS = {
    "angenommen": "GIVEN", "gegeben": "GIVEN", "wenn": "WHEN", "dann": "THEN", "und": "AND", "aber": "BUT",
    "假如": "GIVEN", "假设": "GIVEN", "给定": "GIVEN", "前提": "GIVEN", "当": "WHEN",
    "那么": "THEN", "则": "THEN", "并且": "AND", "而且": "AND", "且": "AND", "但是": "BUT", "或": "OR",
    "如果": "IF", "もし": "WHEN", "ならば": "THEN", "かつ": "AND", "しかし": "BUT",
}  # fmt: skip
ENGLISH = r"GIVEN|WHEN|THEN|AND|BUT|OR|IF"
CLAUSE = re.compile(
    r"(?P<indent>[ \t]*)(?P<bullet>(?:[-*+]|\d{1,3}[.)])[ \t]+)?"
    rf"(?P<bold>\*{{1,3}}|_{{1,3}})?(?P<keyword>{ENGLISH}|{'|'.join(TRANSLATIONS)})"
    r"[ \t]*[:：]?(?:(?P<close>(?P=bold))|(?!\w))[ \t]*[:：]?[ \t]*(?P<text>.*)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass
class _OpenClause:
    """A clause whose lines are still being gathered."""

    keyword: str
    role: Role
    lines: list[str] = field(default_factory=list)

    def closed(self) -> Clause:
        return Clause(self.keyword, self.role, "\n".join(self.lines).strip())


def read_clauses(body: str) -> tuple[str, tuple[Clause, ...]]:
    """The text before the first clause, and the clauses; other lines belong to the clause above them."""
    preamble: list[str] = []
    clauses: list[_OpenClause] = []
    outer_indent = None
    lines = body.split("\n")
    fenced, _ = fenced_lines(lines)
    for index, line in enumerate(lines):
        match = None if index in fenced else CLAUSE.match(line)
        if match and _is_clause(match, outer_indent):
            outer_indent = len(match["indent"]) if outer_indent is None else outer_indent
            keyword = TRANSLATIONS.get(match["keyword"].lower(), match["keyword"].upper())
            role = ROLES.get(keyword, clauses[-1].role if clauses else "when")
            text = match["text"]
            if match["bold"] and not match["close"]:
                text = match["bold"] + text  # the bold run goes on into the text
            clauses.append(_OpenClause(keyword, role, [text.strip()]))
        elif clauses:
            clauses[-1].lines.append(line)
        else:
            preamble.append(line)
    return "\n".join(preamble).strip(), tuple(clause.closed() for clause in clauses)


def _is_clause(match: re.Match[str], outer_indent: int | None) -> bool:
    """Keywords in bold or capitals always; `- When` only with a bullet, and not nested in another clause."""
    keyword = match["keyword"]
    if match["bold"]:
        return True
    if keyword.lower() in TRANSLATIONS:
        return False
    if keyword.isupper():
        return bool(match["text"].strip()) or bool(match["bullet"])
    nested = outer_indent is not None and len(match["indent"]) > outer_indent
    return bool(match["bullet"]) and keyword.istitle() and keyword not in ("Or", "If") and not nested
