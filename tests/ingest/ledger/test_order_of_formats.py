"""Bibliographies, exports and PDFs of real papers give one library in any order, whatever people do and undo then."""

import json
import tempfile
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from ingest import BuildError, edit_paper, merge_papers, split_paper, undo, update_library
from ingest.bibtex.citation import read_stored_entry
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.matching.corrections import corrections_of
from papercore.bibliography.citation import Citation, csl_item, ris_record
from tests.ingest.ledger.test_order import LONG, demo_entries, paper_of, real_entries, stored
from tests.ingest.pdf.made_pdf import Text, paragraph, write_pdf

Format = Literal["bib", "json", "ris", "pdf"]
WORDS = "Rivers carry sand to the sea, and the tide sorts it by the size of its grains. " * 6


class Brought(Struct, frozen=True):
    """A file: in BibTeX as somebody else may have the entry, or with so many of a citation's authors."""

    format: Format
    citation: int
    bibtex: str
    authors: int

    def write(self, folder: Path, number: int) -> Path:
        path, citation = folder / f"{number}.{self.format}", demo_citations()[self.citation]
        authors = citation.authors[: self.authors]
        if self.format == "bib":
            path.write_text(self.bibtex, encoding="utf-8")
        elif self.format == "json":
            item = csl_item(replace(citation, authors=authors), f"k{number}")
            path.write_text(json.dumps([item]), encoding="utf-8")
        elif self.format == "ris":
            path.write_text(ris_record(citation), encoding="utf-8")
        else:
            shown = [citation.title, ", ".join(name.natural for name in authors)]
            title, names = (text.encode("cp1252", "ignore").decode("cp1252") for text in shown)
            write_pdf(path, [[Text(title, size=16), Text(names, top=100), *paragraph(WORDS, 72, 160, 80)]])
        return path


class Act(Struct, frozen=True):
    """What a person does with the papers that files are about, and whether it is taken back."""

    kind: Literal["edit", "merge", "split", "remove"]
    file: int
    other: int
    is_undone: bool


@cache
def demo_citations() -> list[Citation]:
    return [read_stored_entry(entry).citation for entry in demo_entries()]


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[Brought], list[Act], list[list[int]]]:
    """Files about three papers at most, what is done when all are in, and two orders to bring them in, some twice."""
    few = draw(st.lists(st.integers(0, len(demo_citations()) - 1), min_size=1, max_size=3, unique=True))
    brought = st.builds(
        Brought, st.sampled_from(["bib", "json", "ris", "pdf"]), st.sampled_from(few), real_entries(), st.integers(1, 4)
    )
    files = draw(st.lists(brought, min_size=2, max_size=5))
    numbers = st.integers(0, len(files) - 1)
    kinds = st.sampled_from(["edit", "merge", "split", "remove"])
    drawn = draw(st.lists(st.builds(Act, kinds, numbers, numbers, st.booleans()), max_size=3))
    # What was said of a paper that is split later stays with its id, and so with the entry that came first.
    last_split = max((place for place, act in enumerate(drawn) if act.kind == "split"), default=0)
    acts = [act for place, act in enumerate(drawn) if act.kind != "edit" or place >= last_split]
    orders = [
        [*draw(st.permutations(range(len(files)))), *draw(st.lists(numbers, min_size=1, max_size=2))] for _ in range(2)
    ]
    return files, acts, orders


def take(library: Path, paths: Sequence[Path], acts: Sequence[Act], order: Sequence[int]) -> list[object]:
    """All files in two parts, then what people do; after each act a file is brought once more."""
    half = len(order) // 2
    for part in (order[:half], order[half:]):
        update_library(library, [paths[number] for number in dict.fromkeys(part)])
    refused = []
    for number, act in enumerate(acts):
        refused.append(_is_refused(library, paths, act))
        update_library(library, [paths[order[-1 - number % len(order)]]])
    return [refused, stored(library)]


def _is_refused(library: Path, paths: Sequence[Path], act: Act) -> bool:
    paper = paper_of(library, paths[act.file])
    try:
        if act.kind == "edit":
            report = edit_paper(library, paper, corrections_of({"publisher": f"corrected {act.other}"}))
        elif act.kind == "merge":
            report = merge_papers(library, list(dict.fromkeys([paper, paper_of(library, paths[act.other])])))
        elif act.kind == "split":
            with closing(Ledger(library / LEDGER)) as ledger:
                entry = ledger.source_entry(ledger.sources_of_file(str(paths[act.file]))[0])
            report = split_paper(library, paper, [entry or 0])
        else:
            report = update_library(library, remove=[paper])
        if act.is_undone and report.changes:
            undo(library, report.operation)
    except BuildError:
        return True
    return False


def check(case: tuple[list[Brought], list[Act], list[list[int]]]) -> None:
    files, acts, orders = case
    with tempfile.TemporaryDirectory() as folder:
        paths = [file.write(Path(folder), number) for number, file in enumerate(files)]
        found = [take(Path(folder) / f"library{way}", paths, acts, order) for way, order in enumerate(orders)]
    assert found[0] == found[1]


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(cases())
def test_formats_in_any_order_give_one_library(case: tuple[list[Brought], list[Act], list[list[int]]]) -> None:
    check(case)


def test_two_versions_of_one_pdf_are_one_paper_whichever_came_first(tmp_path: Path) -> None:
    files = [Brought("pdf", 0, "", authors) for authors in (1, 2)]
    paths = [file.write(tmp_path, number) for number, file in enumerate(files)]
    first, *others = [
        take(tmp_path / f"library{way}", paths, [], order)
        for way, order in enumerate(([0, 1, 0, 1], [1, 0, 0, 1], [1, 1, 0]))
    ]
    assert others == [first, first]
    assert len(stored(tmp_path / "library0")) == 1


@pytest.mark.long
@LONG
@given(cases())
def test_many_formats_in_many_orders_give_one_library(case: tuple[list[Brought], list[Act], list[list[int]]]) -> None:
    check(case)
