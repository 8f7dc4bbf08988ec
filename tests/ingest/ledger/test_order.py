"""The same inputs and the same words of people, in any order, split into any imports and repeated, give one library."""

import re
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec import Struct

import papers
from ingest import edit_paper, merge_papers, update_library
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.matching.corrections import corrections_of

TITLES = ("Attention Is All You Need", "Communicating Sequential Processes", "On Rivers")
NAMES = ("Vaswani, Ashish", "Hoare, C. A. R.", "Shazeer, Noam", "Fluvius, Ada")
CORRECTED = ("publisher", "abstract")


class Said(Struct, frozen=True):
    """What a person says of the papers that the first entries of these files are about: a correction, or a merge."""

    files: tuple[int, ...]
    field: str = ""


Step = list[int] | Said


@st.composite
def made_entries(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["article", "book", "inproceedings", "misc"]))
    key = draw(st.sampled_from(["a1", "b2", "c3"]))
    people = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    fields = {
        "title": draw(st.sampled_from(TITLES)),
        "author": " and ".join([*people, *(["others"] if draw(st.booleans()) else [])]),
        "year": draw(st.sampled_from(["", "1978", "2017", "2018"])),
        "journal": draw(st.sampled_from(["", "Neural Computation", "CoRR"])),
        "pages": draw(st.sampled_from(["", "1--10", "666--677"])),
        "doi": draw(st.sampled_from(["", "10.1000/one", "10.1000/two"])),
        "eprint": draw(st.sampled_from(["", "1706.03762"])),
        "keywords": draw(st.sampled_from(["", "rivers, sand", "Sand"])),
    }
    said = ", ".join(f"{name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{kind}{{{key}, {said}}}\n"


@cache
def demo_entries() -> list[str]:
    """Of real papers, each with its fields on lines of their own."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path(papers.__file__).parent.glob("demo/*.bib"))]
    return [entry for text in texts for entry in re.split(r"^(?=@)", text, flags=re.MULTILINE) if entry.startswith("@")]


@st.composite
def real_entries(draw: st.DrawFn) -> str:
    """As somebody else may have them: under another key, without some fields, with fewer authors."""
    lines = draw(st.sampled_from(demo_entries()[:6])).strip().splitlines()
    body = [line for line in lines[1:-1] if "title" in line or not _is_whole(line) or draw(st.integers(0, 3))]
    if draw(st.booleans()):
        body = [re.sub(r" and .*\}", " and others}", line) if _is_whole(line, "author") else line for line in body]
    head = re.sub(r"\{.*,", "{other,", lines[0]) if draw(st.booleans()) else lines[0]
    return "\n".join([head, *body, lines[-1]]) + "\n"


def _is_whole(line: str, name: str = r"\w+") -> bool:
    """Whether it has a field from its name to its comma."""
    return bool(re.fullmatch(rf"\s*{name}\s*=.*,", line)) and line.count("{") == line.count("}")


@st.composite
def ways(draw: st.DrawFn, entries: st.SearchStrategy[str]) -> tuple[list[str], list[Step], list[Step]]:
    """Files, and two ways to bring them in: in some order and groups, some of them twice, people speaking meanwhile."""
    files = draw(st.lists(entries, min_size=2, max_size=5))
    numbers = st.integers(0, len(files) - 1)
    said = [Said((number,), field) for number, field in zip(draw(st.lists(numbers, max_size=2)), CORRECTED)]  # noqa: B905 - as many as were drawn
    if draw(st.booleans()):
        said.append(Said(tuple(draw(st.lists(numbers, min_size=2, max_size=2, unique=True)))))

    def way() -> list[Step]:
        order = [*draw(st.permutations(range(len(files)))), *draw(st.lists(numbers, max_size=2))]
        cut = draw(st.integers(0, len(order)))
        steps: list[Step] = [part for part in (order[:cut], order[cut:]) if part]
        for words in said:
            there = next(place for place in range(1, len(steps) + 1) if _are_in(words.files, steps[:place]))
            steps.insert(draw(st.integers(there, len(steps))), words)
        return steps

    return files, way(), way()


def _are_in(files: Sequence[int], steps: Sequence[Step]) -> bool:
    brought = {number for step in steps if isinstance(step, list) for number in step}
    return brought.issuperset(files)


def stored(library: Path) -> list[tuple[object, ...]]:
    """Everything but ids, which stay what they were when a paper came first, and what is made from them."""
    with closing(sqlite3.connect(library / "paper_snapshot.db")) as database:
        return database.execute(
            "SELECT p.title, year, month, venue, doi, publication_date, bibtex_raw, metadata, summary,"
            " (SELECT group_concat(paper_key) FROM (SELECT paper_key FROM paper_key_alias a"
            "  WHERE a.paper_id = p.paper_id ORDER BY 1))"
            " FROM paper p JOIN paper_bibtex b ON b.paper_id = p.paper_id"
            " JOIN paper_fts f ON f.rowid = p.rowid ORDER BY 1, 7, 8, 9, 10"
        ).fetchall()


def paper_of(library: Path, path: Path) -> str:
    with closing(Ledger(library / LEDGER)) as ledger:
        entry = ledger.source_entry(ledger.sources_of_file(str(path))[0])
        assert entry is not None
        return ledger.read([entry])[0].paper_id


def take(library: Path, steps: Sequence[Step], paths: Sequence[Path]) -> list[tuple[object, ...]]:
    for step in steps:
        if isinstance(step, list):
            update_library(library, [paths[index] for index in dict.fromkeys(step)])
            continue
        named = [paper_of(library, paths[number]) for number in step.files]
        if step.field:
            edit_paper(library, named[0], corrections_of({step.field: f"corrected {step.field}"}))
        elif len(set(named)) > 1:
            merge_papers(library, named)
    return stored(library)


def check_ways(given_ways: tuple[list[str], list[Step], list[Step]]) -> None:
    files, *both = given_ways
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.bib" for number in range(len(files))]
        for path, text in zip(paths, files, strict=True):
            path.write_text(text, encoding="utf-8")
        found = [take(Path(folder) / f"library{number}", steps, paths) for number, steps in enumerate(both)]
    assert found[0] == found[1]


QUICK = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
# A failure is told as it was found: many more libraries would have to be made to make its example smaller.
FOUND = [phase for phase in Phase if phase not in (Phase.shrink, Phase.explain)]
LONG = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), phases=FOUND)


@QUICK
@given(ways(real_entries()))
def test_order_split_and_repetition_make_no_difference(given_ways: tuple[list[str], list[Step], list[Step]]) -> None:
    check_ways(given_ways)


@pytest.mark.long
@LONG
@given(ways(real_entries()))
def test_many_ways_to_bring_real_entries_in(given_ways: tuple[list[str], list[Step], list[Step]]) -> None:
    check_ways(given_ways)


@pytest.mark.long
@LONG
@given(ways(made_entries()))
def test_many_ways_to_bring_contradicting_entries_in(given_ways: tuple[list[str], list[Step], list[Step]]) -> None:
    check_ways(given_ways)
