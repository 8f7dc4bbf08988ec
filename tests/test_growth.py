"""Whatever reads what a stranger wrote takes time in proportion to its length: measured at n, 2n and 4n."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ingest.reading.inputs import reader_of
from mcpapi.protocol import messages as envelope
from mcpapi.protocol.messages import RpcError
from papercore.retrieval.basics.query import parse as parse_query
from specs.pages.requirements import _emphasised
from specs.reading.changes import TASK, Proposal
from specs.reading.parser import parse
from specs.reading.validation import validate
from tests.growth import grows_too_fast

Text = Callable[[int], str]

SPECS: dict[str, Text] = {
    "a heading of blanks": lambda n: "# a" + " " * n + "b",
    "a heading of hashes": lambda n: "# a" + " #" * n + "b",
    "headings": lambda n: "# a\n" * n,
    "headings one below the other": lambda n: "".join(f"{'#' * (line % 6 + 1)} a\n" for line in range(n)),
    "requirements": lambda n: "## Requirements\n" + "### Requirement: a\nb\n#### Scenario: c\n- **WHEN** d\n" * n,
    "removals": lambda n: "## REMOVED Requirements\n- Requirement: a" + " *`" * n + "\nb",
    "sections of removals": lambda n: "## REMOVED Requirements\n- `### Requirement: a`\n" * n,
    "renames": lambda n: "## RENAMED Requirements\n- FROM: a" + " " * n + "`b\n- TO: c\n",
    "fences": lambda n: "```\n" * n,
    "fences that never close": lambda n: "".join("`" * (line % 9 + 3) + "a\n" for line in range(n)),
    "comments": lambda n: "<!--\n" * n,
    "steps": lambda n: "### Requirement: a\n#### Scenario: b\n" + "- **WHEN" + " " * n + "\n",
    "blank lines": lambda n: "### Requirement: a\n" + " \n" * n,
    "stars": lambda n: "### Requirement: a\n" + "**" * n,
}


@pytest.mark.parametrize("name", SPECS)
def test_specs_of_any_form_are_parsed_in_linear_time(name: str) -> None:
    assert not grows_too_fast(lambda text: validate(parse(text, "a", delta=True)), SPECS[name], 3_000)


@pytest.mark.parametrize(
    "text", [lambda n: "\n " * n, lambda n: "- [ ] " * n, lambda n: "# Why\n" * n], ids=["blanks", "tasks", "reasons"]
)
def test_changes_are_read_in_linear_time(text: Text) -> None:
    assert not grows_too_fast(lambda change: (Proposal.of(change), TASK.findall(change)), text, 3_000)


@pytest.mark.parametrize("part", ["<", "a < b", "SHALL ", "&lt;"])
def test_the_words_of_a_requirement_are_emphasised_in_linear_time(part: str) -> None:
    assert not grows_too_fast(_emphasised, lambda n: part * n, 3_000)


QUERIES = ["(", ")", '"', "-", "a OR ", "NOT ", "author:", 'author:"', "10.1234/", "2019..", "*", "a ", "-(", "(a OR "]


@pytest.mark.parametrize("part", QUERIES)
def test_a_query_is_parsed_in_linear_time(part: str) -> None:
    assert not grows_too_fast(lambda text: parse_query(text, {"author"}), lambda n: part * n, 1_000)


BODIES = ["[", '{"a":', '"', "1", "1,", "[1],", "\\u0041", '{"a":1},', "-", "1e"]


@pytest.mark.parametrize("part", BODIES)
def test_a_json_rpc_body_is_read_in_linear_time(part: str) -> None:
    def read(text: str) -> None:
        for body in (text, f"[{text}null]", f'"{text}"'):
            with suppress(RpcError):  # refused is an answer, too
                envelope.parse(body.encode())

    assert not grows_too_fast(read, lambda n: part * n, 5_000)


RECORDS: dict[str, tuple[str, Text]] = {
    "entries": ("bib", lambda n: "@article{a,\n title = {b},\n}\n" * n),
    "one long title": ("bib", lambda n: "@article{a,\n title = {" + "b {c} " * n + "},\n}\n"),
    "braces that never close": ("bib", lambda n: "@article{a,\n title = {" + "{" * n + "\n"),
    "an entry that never ends": ("bib", lambda n: "@article{a,\n" + " title = {b},\n" * n),
    "entries that never end": ("bib", lambda n: "@article{a,\n title = {b\n" * n),
    "many authors": ("bib", lambda n: "@article{a,\n title = {b}, author = {" + "C, D and " * n + "E}\n}\n"),
    "blanks between authors": ("bib", lambda n: "@article{a,\n title={b}, author = {A" + " " * n + "B}\n}\n"),
    "accents": ("bib", lambda n: "@article{a,\n title = {" + "\\'e" * n + "}\n}\n"),
    "dollars": ("bib", lambda n: "@article{a,\n title = {" + "$a" * n + "}\n}\n"),
    "parents": ("bib", lambda n: "@book{a, title={b}}\n" + "@article{c, title={d}, crossref = {a}}\n" * n),
    "records": ("ris", lambda n: "TY  - JOUR\nTI  - a\nER  - \n" * n),
    "a record that never ends": ("ris", lambda n: "TY  - JOUR\nTI  - a\n" + "AU  - B, C\n" * n),
    "keywords": ("ris", lambda n: "TY  - JOUR\nTI  - a\nKW  - " + "b; " * n + "\nER  - \n"),
    "items": ("json", lambda n: "[" + '{"title": "a"},' * n + '{"title": "b"}]'),
    "lists inside each other": ("json", lambda n: '[{"title": ' + "[" * n),
    "an item that never ends": ("json", lambda n: '[{"title": "' + "a" * n),
    "blanks in names": ("json", lambda n: '[{"title": "a", "authors": "b' + " " * n + 'c"}]'),
    "lines": ("jsonl", lambda n: '{"title": "a"}\n' * n),
}


@pytest.mark.parametrize("name", RECORDS)
def test_records_of_any_form_are_read_in_linear_time(name: str, tmp_path: Path) -> None:
    ending, text = RECORDS[name]
    path = tmp_path / f"input.{ending}"
    read: Callable[[Path], Iterator[object]] | None = reader_of(path)
    assert read

    def read_text(content: str) -> list[object]:
        path.write_text(content, encoding="utf-8")
        return list(read(path))

    assert not grows_too_fast(read_text, text, 300)
