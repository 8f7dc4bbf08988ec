"""The command that checks a draft's bibliography, citation keys and quotations against the library."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec import Struct

from papercore import limits
from papercore.errors import ToolError
from papers import tools
from papers.passages.schemas import QuoteToVerify
from papers.references.checking import CheckedBibliography

DRAFTS = (".tex", ".md", ".txt")
# What ends the command with 1 unless it is told otherwise.
FAILING = ("differs", "mixed", "retracted", "undefined_key", "elsewhere", "near_miss", "not_authors_words")
_COMMENT = re.compile(r"(?<!\\)%.*")
_TEX_KEYS = r"\\[A-Za-z]*[Cc]ite[A-Za-z]*\*?(?:\[[^][]{0,200}\]){0,2}\{(?P<tex>[^{}]{1,1000})\}"
_MARKDOWN_KEYS = r"\[(?P<md>[^][\n]{0,300}@[^][\n]{1,300})\]"
_CITED = re.compile(f"{_TEX_KEYS}|{_MARKDOWN_KEYS}")
_MARKDOWN_KEY = re.compile(r"@([\w:.#$%&+?<>~/-]*\w)")
_QUOTED = re.compile(rf"(?:``|“)(?P<quote>[^“”`']{{8,2000}}?)(?:''|”)[~\s.,;(]{{0,4}}(?:{_TEX_KEYS}|{_MARKDOWN_KEYS})")


class DraftFinding(Struct, frozen=True):
    """Something to look at: its kind, the file and line, and a sentence."""

    kind: str
    file: str
    line: int
    message: str


class CheckDraft(BaseCommand):
    help = "Check a bibliography (.bib) against the library, and the keys and quotations of drafts that cite from it."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a .bib, and drafts: .tex, .md, .txt")
        parser.add_argument("--json", action="store_true", help="print the findings as JSON")
        parser.add_argument("--fail-on", default=",".join(FAILING), metavar="KINDS", help="kinds that end with 1")

    def handle(self, *, files: list[Path], json: bool, fail_on: str, **options: object) -> None:
        try:
            findings = check_files(files)
        except (OSError, UnicodeDecodeError, ToolError) as error:
            raise CommandError(error.message if isinstance(error, ToolError) else str(error)) from None
        if json:
            self.stdout.write(as_json(findings))
        else:
            for item in findings:
                self.stdout.write(f"{item.file}:{item.line}: {item.kind}: {item.message}")
            self.stdout.write(f"{len(findings)} to look at.")
        if {item.kind for item in findings} & set(fail_on.split(",")):
            sys.exit(1)


def as_json(findings: list[DraftFinding]) -> str:
    rows = [{"kind": f.kind, "file": f.file, "line": f.line, "message": f.message} for f in findings]
    return json.dumps({"findings": rows}, ensure_ascii=False, indent=2)


def check_files(files: list[Path]) -> list[DraftFinding]:
    """What is to be looked at in these files; entries that agree with the library are not listed."""
    unknown = [path for path in files if path.suffix.lower() not in (".bib", *DRAFTS)]
    if unknown:
        raise CommandError(f"{unknown[0]}: only .bib, {', '.join(DRAFTS)} can be checked.")
    bibliographies = {path: path.read_text(encoding="utf-8") for path in files if path.suffix.lower() == ".bib"}
    findings: list[DraftFinding] = []
    papers: dict[str, str | None] = {}
    for path, text in bibliographies.items():
        checked = tools.check_bibliography(text)
        papers |= {entry.key: entry.paper_id for entry in checked.entries}
        findings += _entry_findings(path, text, checked)
    for path in files:
        if path not in bibliographies:
            findings += _draft_findings(path, path.read_text(encoding="utf-8"), papers)
    return findings


def _entry_findings(path: Path, text: str, checked: CheckedBibliography) -> Iterator[DraftFinding]:
    for line in checked.unreadable_lines:
        yield DraftFinding("unreadable", str(path), line, "This entry cannot be read.")
    for entry in checked.entries:
        if entry.verdict != "matches":
            place = re.search(rf"@\w+\s*\{{\s*{re.escape(entry.key)}\s*,", text)
            line = text.count("\n", 0, place.start()) + 1 if place else 1
            yield DraftFinding(entry.verdict, str(path), line, f"{entry.key}: {entry.note}")


def _draft_findings(path: Path, text: str, papers: dict[str, str | None]) -> Iterator[DraftFinding]:
    """Keys that no bibliography has, and quotations that the cited paper does not have."""
    if path.suffix.lower() == ".tex":
        # Line by line, so that places stay.
        text = "\n".join(_COMMENT.sub("", line) for line in text.split("\n"))
    for match in _CITED.finditer(text):
        for key in _keys(match):
            if papers and key not in papers:
                line = text.count("\n", 0, match.start()) + 1
                yield DraftFinding("undefined_key", str(path), line, f"No bibliography given has the key {key}.")
    for match in _QUOTED.finditer(text):
        cited = [paper for key in _keys(match) if (paper := papers.get(key))]
        if cited:
            quote = " ".join(match["quote"].split())[: limits.QUOTE_CHARS]
            (verified,) = tools.verify_quotes((QuoteToVerify(quote=quote, where=cited[0]),)).quotes
            if not verified.found:
                line = text.count("\n", 0, match.start()) + 1
                said = verified.problem or "Not found in the text that the library has."
                yield DraftFinding(verified.verdict, str(path), line, f"“{quote[:80]}”: {said}")


def _keys(match: re.Match[str]) -> list[str]:
    if match["tex"]:
        return [key.strip() for key in match["tex"].split(",") if key.strip() not in ("", "*")]
    return _MARKDOWN_KEY.findall(match["md"])
